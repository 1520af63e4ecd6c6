package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** All NameNodes are lost, and an older image is all that is left of the namespace. */
final class OldImageTest {
  private static final Random RANDOM = Seeds.random(OldImageTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(4, 8);

  @TempDir Path directory;

  private static Path nameDirectory() {
    NameNode nameNode = fixture.hdfs.nameNode();
    return Path.of(URI.create(nameNode.getConf().get(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, "")));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private Path saved() throws IOException {
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    fixture.fs.saveNamespace();
    Path image = directory.resolve("image");
    copy(nameDirectory(), image);
    Files.delete(image.resolve("in_use.lock"));
    fixture.fs.setSafeMode(SafeModeAction.LEAVE);
    return image;
  }

  /**
   * All daemons are started anew: DataNodes that have heard later transactions do not obey a
   * NameNode of an older one, which is HDFS's rule. It stays in safe mode, as blocks are missing or
   * younger than itself, until an administrator ends that.
   */
  private static void startFrom(Path image) throws Exception {
    Path name = nameDirectory();
    NameNode nameNode = fixture.hdfs.nameNode();
    List<Integer> running =
        IntStream.range(0, fixture.hdfs.nodes()).filter(fixture.hdfs::runs).boxed().toList();
    running.forEach(fixture.hdfs::stopNode);
    nameNode.stop();
    nameNode.join();
    FileUtil.fullyDelete(name.toFile());
    copy(image, name);
    CompletableFuture<Void> started =
        CompletableFuture.runAsync(
            () -> {
              try {
                fixture.hdfs.restartNameNode();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Await.until("a NameNode", () -> isAnother(nameNode) || started.isDone());
    for (int node : running) {
      fixture.hdfs.startNode(node);
    }
    Await.until("the nodes to report", () -> hasReported(running.size()));
    fixture.fs.setSafeMode(SafeModeAction.FORCE_EXIT);
    started.get(120, TimeUnit.SECONDS);
  }

  private static boolean isAnother(NameNode before) {
    try {
      return fixture.hdfs.nameNode() != before;
    } catch (IndexOutOfBoundsException e) {
      return false; // it has yet to be made
    }
  }

  private static boolean hasReported(int nodes) {
    Set<DatanodeDescriptor> known =
        fixture
            .hdfs
            .nameNode()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanodes();
    return known.size() == nodes
        && known.stream().allMatch(node -> node.isAlive() && node.checkBlockReportReceived());
  }

  /** The parity blocks of the stripes that hold a file's blocks. */
  private static List<Long> parityOf(String path) throws IOException {
    List<Long> parity = new ArrayList<>();
    for (StripeStatus status : fixture.stripes()) {
      if (status.members().stream().anyMatch(member -> path.equals(member.path()))) {
        List<Long> blocks = status.stripe().blockIds();
        parity.addAll(blocks.subList(blocks.size() - status.stripe().code().m(), blocks.size()));
      }
    }
    return parity;
  }

  private boolean isOnDisk(long block) {
    return IntStream.range(0, fixture.hdfs.nodes())
        .filter(fixture.hdfs::runs)
        .anyMatch(
            node -> {
              try {
                return Disks.file(fixture.hdfs, node, block).isPresent();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** Whatever was converted, restored, repaired or deleted since, no file of the image is lost. */
  @Test
  void filesOfTheImageAreReadWhateverWasDoneSince() throws Exception {
    Map<String, Integer> sizes =
        Map.of(
            "/old/converted", 7 * ClusterFixture.BLOCK + 5,
            "/old/restored", 6 * ClusterFixture.BLOCK,
            "/old/replicated", 6 * ClusterFixture.BLOCK + 9);
    for (Map.Entry<String, Integer> file : sizes.entrySet()) {
      fixture.write(file.getKey(), file.getValue(), 3, RANDOM);
    }
    // Apart, so that they share no stripe.
    fixture.convertAll("rs-3-2", "/old/converted");
    fixture.convertAll("rs-3-2", "/old/restored");
    List<Long> parity = parityOf("/old/restored");
    Path image = saved();

    fixture.convertAll("rs-3-2", "/old/replicated");
    try (Cluster cluster = fixture.braid()) {
      RestoreReport restored = cluster.restore("/old/restored", Progress.SILENT);
      assertEquals(1, restored.files().size(), restored.toString());
    }
    Await.until("the parity to go from the disks", () -> parity.stream().noneMatch(this::isOnDisk));
    // Blocks of the stripes get other homes, of which the image knows nothing.
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    fixture.hdfs.awaitDead(node);
    fixture.repair("/old", "chain");

    startFrom(image);
    for (String path : sizes.keySet()) {
      fixture.assertReads(path);
    }
    Await.until(
        "replicas of what was converted since",
        () -> fixture.files("/old/replicated").get(0).blocks(),
        blocks -> blocks.stream().allMatch(block -> block.replicas().size() >= 3));
    // The image says that one replica is enough, but the stripes' parity was deleted since.
    for (BlockStatus block : fixture.files("/old/restored").get(0).blocks()) {
      assertTrue(block.replicas().size() >= 2, fixture.safety.story(block));
    }
    fixture.repair("/old", "chain");
    for (String path : sizes.keySet()) {
      fixture.assertReads(path);
    }
    for (String path : List.of("/old/converted", "/old/restored")) {
      fixture.assertTolerant(path);
    }
    fixture.startAll();
    fixture.repair("/old", "chain");
    fixture.assertClean("/old");
    for (String path : sizes.keySet()) {
      fixture.assertReads(path);
    }
  }
}
