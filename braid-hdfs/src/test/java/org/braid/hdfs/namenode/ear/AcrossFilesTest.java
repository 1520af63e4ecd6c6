package org.braid.hdfs.namenode.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.ear.OpenStripes.Ordinal;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Blocks of open stripes, as their files tell of them. */
final class AcrossFilesTest {
  private static final Topology TOPOLOGY = Topology.of(8, 3);
  private static final EligibleNodes ALL = EligibleNodes.all(TOPOLOGY);
  private static final int WRITER = 0;
  private static final StripeRule RULE =
      StripeRules.on(Codes.named("rs-4-2"), OptionalInt.of(1), ALL);

  /** The blocks that wait beside one of a file, when the next one of the rack is placed. */
  private int waiting(int index, int blocks, boolean open) {
    Random random = Seeds.random(getClass());
    PreEncodingStore<Ordinal> store = new PreEncodingStore<>(4);
    var placer = new EncodingAwareReplication(RULE, ReplicaLayout.HDFS);
    store.add(new Ordinal(1, index), placer, ALL, WRITER, 3, random);
    store.refresh(
        TOPOLOGY.rackName(TOPOLOGY.rackOf(WRITER)),
        waiting -> AcrossFiles.whereabouts(waiting, blocks, open, block -> List.of("elsewhere")),
        TOPOLOGY,
        RULE);
    return store.waiting();
  }

  @Test
  void aBlockThatItsFileIsAboutToGetWaitsOn() {
    assertEquals(1, waiting(0, 0, true));
    assertEquals(1, waiting(2, 2, true));
  }

  @Test
  void aBlockThatItsFileHasWaitsOn() {
    assertEquals(1, waiting(1, 2, true));
    assertEquals(1, waiting(1, 2, false));
  }

  /** Few files may have very many blocks. */
  @Test
  void aDirectoryIsTooLargeByItsFilesOrByTheirBlocks() {
    assertFalse(AcrossFiles.areTooMany(AcrossFiles.MOST_FILES, AcrossFiles.MOST_BLOCKS));
    assertTrue(AcrossFiles.areTooMany(AcrossFiles.MOST_FILES + 1, 0));
    assertTrue(AcrossFiles.areTooMany(1, AcrossFiles.MOST_BLOCKS + 1));
  }

  @Test
  void aBlockThatIsGoneDoesNotWait() {
    assertEquals(0, waiting(2, 1, true));
    assertEquals(0, waiting(1, 1, false));
  }
}
