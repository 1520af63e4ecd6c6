package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.FileTrees;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks of two nodes have the same ids: those of one were copied from the other's, or one is what
 * the other was called before.
 */
final class CopiedDisksTest {
  @TempDir static Path directory;

  @Test
  void theCopyThatWasVerifiedStays() throws Exception {
    Map<String, String> workers =
        Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName());
    try (NameNodeFixture fixture = NameNodeFixture.start(directory, 5, 5, workers)) {
      StripeProto stripe = fixture.encode("/f");
      MemberProto member = stripe.getMembers(0);
      long id = member.getBlock().getId();
      int home = fixture.cluster.indexOf(member.getHome()).orElseThrow();
      int other = spare(fixture.cluster, stripe);
      failReads(id, fixture.cluster.dataNode(home).getDisplayName());
      fixture.cluster.stopNode(other);
      copyDisks(fixture.cluster, home, other);
      fixture.cluster.startNode(other);
      fixture.cluster.awaitNodes();
      String verified = fixture.cluster.uuid(other);
      Await.until(
          "the copy that could be read to be the home",
          () -> verified.equals(fixture.stripes(id).get(0).getStripe().getMembers(0).getHome()));
      Await.until(
          "the other copy to go",
          () ->
              Disks.file(fixture.cluster, home, id).isEmpty()
                  || Disks.file(fixture.cluster, other, id).isEmpty());
      assertEquals(Set.of(verified), fixture.copies(id));
      assertEquals(Set.of(verified), fixture.holders(id));
    } finally {
      InjectedFaults.clear();
    }
  }

  private static int spare(EmbeddedCluster cluster, StripeProto stripe) {
    for (int i = 0; i < cluster.nodes(); i++) {
      String uuid = cluster.uuid(i);
      if (stripe.getMembersList().stream().noneMatch(m -> m.getHome().equals(uuid))) {
        return i;
      }
    }
    throw new AssertionError("every node has a block of the stripe");
  }

  /** As long as the NameNode has not noticed that a node is gone, its copy is read first. */
  private static void failReads(long block, String node) {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ
              && detail.contains("blk_" + block)
              && detail.contains(node)) {
            throw new IOException("the node is gone");
          }
        });
  }

  private static void copyDisks(EmbeddedCluster cluster, int from, int to) throws IOException {
    Path source = cluster.dataDirectory(from);
    Path target = cluster.dataDirectory(to);
    FileTrees.delete(target);
    try (Stream<Path> all = Files.walk(source)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.copy(path, target.resolve(source.relativize(path)));
      }
    }
    Path version = target.resolve("current/VERSION");
    Files.writeString(
        version,
        Files.readString(version).replace(cluster.uuid(from), UUID.randomUUID().toString()));
  }
}
