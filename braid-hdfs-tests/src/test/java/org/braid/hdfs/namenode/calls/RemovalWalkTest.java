package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long a look at what is removed holds the NameNode's lock. */
final class RemovalWalkTest {
  private static final int FILES = 30;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(1, 1, Map.of());

  /** Half a millisecond passes from one look at the clock to the next. */
  private final AtomicLong nanos = new AtomicLong();

  @BeforeAll
  static void prepare() throws Exception {
    for (int i = 0; i < FILES; i++) {
      fixture.fs.create(new org.apache.hadoop.fs.Path("/tree/" + i)).close();
    }
  }

  private static long holds() {
    var holds = fixture.plugin().host().holds().until().get("braidRemoval");
    return holds == null ? 0 : holds.count();
  }

  private RemovalWalk begin() throws Exception {
    return begin(Removal.tree("/tree")).orElseThrow();
  }

  private Optional<RemovalWalk> begin(Removal removal) throws Exception {
    BraidNameNodePlugin plugin = fixture.plugin();
    NameNodeHost host = plugin.host();
    RemovalWalk.Ground ground =
        new RemovalWalk.Ground(
            host, plugin.index(), new BlockCounts(), () -> nanos.getAndAdd(500_000));
    return host.reading("braidTest", () -> ground.begin(removal));
  }

  /** HDFS never deletes it: nobody's call is to have all that there is looked at. */
  @Test
  void theRootIsNotLookedAt() throws Exception {
    for (String root : List.of("/", BraidPaths.inode(INodeId.ROOT_INODE_ID))) {
      assertTrue(begin(Removal.tree(root)).isEmpty(), root);
    }
    assertTrue(begin(Removal.snapshot("/", "s")).isPresent(), "its snapshots are deleted");
  }

  @Test
  void eachHoldIsOverAfterTwoMilliseconds() throws Exception {
    long before = holds();
    RemovalWalk walk = begin();
    walk.walk(Long.MAX_VALUE);
    assertFalse(walk.verdict().many());
    assertTrue(walk.verdict().looked() > FILES, "how much there is to look at is told");
    assertTrue(holds() - before >= FILES / 5, holds() - before + " holds");
  }

  /** Where nothing is lost only the first of very many files are looked at. */
  @Test
  void howMuchIsLookedAtDoesNotDependOnTheTimeThatItTakes() throws Exception {
    RemovalWalk walk = begin();
    walk.walk(FILES / 2);
    assertTrue(walk.verdict().many());
    RemovalWalk other = begin();
    other.walk(FILES + 10);
    assertFalse(other.verdict().many());
  }
}
