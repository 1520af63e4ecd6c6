package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.Raiser;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A removal that is given up has had a block copied that would have relied on what it removes, and
 * another one was judged by these copies: {@code /goes} and {@code /stays} are a stripe.
 */
final class GivenBackCopiesTest {
  private static final Removal GOES = Removal.file("/goes");

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(4, 4, Map.of());
  private SafeRemovals removals;
  private long stays;

  @BeforeEach
  void encode() throws Exception {
    BlockStatusProto one = fixture.write("/goes", 1, 3).getBlocks(0);
    BlockStatusProto other = fixture.write("/stays", 1, 3).getBlocks(0);
    StripeProto stripe = fixture.publish("rs-2-1", List.of(one, other), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (String path : List.of("/goes", "/stays")) {
      fixture.fs.setReplication(new Path(path), (short) 1);
    }
    stays = other.getBlock().getId();
    BraidNameNodePlugin plugin = fixture.plugin();
    NameNodeHost host = plugin.host();
    StripeIndex index = plugin.index();
    Raiser raiser = new Raiser(host, index, new OpenWrites());
    Trimmer trimmer = new Trimmer(host, index, new OpenWrites());
    removals =
        new SafeRemovals(
            host,
            index,
            new NoRebuilds(),
            raiser::protectBlocks,
            trimmer::keepOneAgain,
            thinned -> {});
  }

  /** Nobody rebuilds anything. */
  private static final class NoRebuilds implements SafeRemovals.Rebuilds {
    @Override
    public boolean await(
        String user, Collection<Long> needed, Collection<Long> useful, Runnable then) {
      return false;
    }

    @Override
    public void ask(String user, Collection<Long> needed) {}
  }

  /** What another client removes. */
  private PendingRemoval lookElsewhere() throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return removals.look(GOES);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            })
        .get(60, TimeUnit.SECONDS);
  }

  /** It is about to be made when the first one is given up. */
  @Test
  void copiesByWhichAnotherRemovalWasJudgedStayUntilThatHasEnded() throws Exception {
    PendingRemoval first = removals.look(GOES);
    Await.until("another copy", () -> fixture.holders(stays).size() > 1);
    Set<String> both = fixture.holders(stays);
    PendingRemoval second = lookElsewhere();
    assertTrue(second.goesAtOnce());
    first.close();
    assertTrue(fixture.holders(stays).containsAll(both));
    second.close();
    Await.until("one copy again", () -> fixture.holders(stays).size() == 1);
  }

  @Test
  void copiesByWhichARemovalWasMadeStay() throws Exception {
    PendingRemoval first = removals.look(GOES);
    Await.until("another copy", () -> fixture.holders(stays).size() > 1);
    Set<String> both = fixture.holders(stays);
    PendingRemoval second = lookElsewhere();
    first.close();
    assertTrue(fixture.fs.delete(new Path("/goes"), false));
    second.close();
    assertTrue(fixture.holders(stays).containsAll(both));
  }
}
