package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.NameNodeFixture;
import org.braid.hdfs.namenode.calls.SafeRemovals.Look;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What removals hold on to until they have ended: {@code /goes} and {@code /stays} are a stripe,
 * and who asks for copies of blocks is written down and gets none.
 */
final class SafeRemovalsTest {
  @TempDir Path directory;
  private final List<Long> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> givenBack = Collections.synchronizedList(new ArrayList<>());
  private NameNodeFixture fixture;
  private SafeRemovals removals;
  private long stays;

  @BeforeEach
  void start() throws Exception {
    fixture = NameNodeFixture.start(directory, 4, 4, Map.of());
    BlockStatusProto goes = fixture.write("/goes", 1, 3).getBlocks(0);
    BlockStatusProto other = fixture.write("/stays", 1, 3).getBlocks(0);
    StripeProto stripe = fixture.publish("rs-2-1", List.of(goes, other), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    stays = other.getBlock().getId();
    removals = removals(asked::addAll);
  }

  private SafeRemovals removals(SafeRemovals.Copies more) {
    BraidNameNodePlugin plugin = fixture.plugin();
    return new SafeRemovals(
        plugin.host(),
        plugin.index(),
        (needed, useful, then) -> false,
        more,
        givenBack::addAll,
        thinned -> {});
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  /** The second of two removals still needs what both asked for. */
  @Test
  void copiesStayUntilTheLastRemovalThatNeedsThemEnds() throws Exception {
    Look first = removals.look(Removal.file("/goes"));
    Look second = removals.look(Removal.content("/goes"));
    assertEquals(List.of(stays, stays), asked);
    removals.end(first, false);
    assertEquals(List.of(), givenBack);
    removals.end(second, false);
    assertEquals(List.of(stays), givenBack);
  }
}
