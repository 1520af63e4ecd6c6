package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed;
import org.braid.hdfs.coordinator.HdfsMovers.Policy;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;

/** The storage of a cluster whose DataNodes have a volume of each of several types. */
final class Storages {
  private static final long ROOM = 4096 * ClusterFixture.BLOCK;

  private final ClusterFixture fixture;
  private final List<StorageType> types;

  Storages(ClusterFixture fixture, List<StorageType> types) {
    this.fixture = fixture;
    this.types = List.copyOf(types);
  }

  /** Starts a cluster. */
  static ClusterFixture cluster(
      int racks, int nodes, List<StorageType> types, Map<String, String> more) throws IOException {
    Map<String, String> properties = new HashMap<>(more);
    properties.put(
        "dfs.datanode.data.dir",
        types.stream()
            .map(type -> "[" + type + "]" + type.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(",")));
    properties.put(
        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    // What blocks take, not what the machine's disk holds.
    properties.put("fs.getspaceused.classname", ReplicaCachingGetSpaceUsed.class.getName());
    return new ClusterFixture(racks, nodes, properties);
  }

  /** All nodes have room on storage of all types. */
  void room() throws IOException {
    room(types.get(0), node -> true);
  }

  /** Gives nodes but some no room on storage of a type. */
  void room(StorageType type, IntPredicate nodes) throws IOException {
    for (int i = 0; i < fixture.hdfs.nodes(); i++) {
      for (StorageType each : types) {
        HdfsMovers.capacity(fixture.hdfs, i, each, each != type || nodes.test(i) ? ROOM : 0);
      }
    }
    var known = fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    Await.until(
        "all storage to be reported",
        () -> {
          for (int i = 0; i < fixture.hdfs.nodes(); i++) {
            for (var report : known.getDatanode(fixture.hdfs.uuid(i)).getStorageReports()) {
              boolean has = report.getStorage().getStorageType() != type || nodes.test(i);
              if (report.getCapacity() != (has ? ROOM : 0)) {
                return false;
              }
            }
          }
          return true;
        });
  }

  /**
   * By block of all files below a path, the storages of its replicas as the NameNode lists them.
   */
  Map<String, List<String>> at(String path) throws IOException {
    Map<String, List<String>> storages = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = fixture.fs.listFiles(new Path(path), true);
    while (files.hasNext()) {
      var file = (HdfsLocatedFileStatus) files.next();
      for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
        List<String> at = new ArrayList<>();
        for (int i = 0; i < block.getLocations().length; i++) {
          at.add(block.getStorageTypes()[i] + " " + block.getStorageIDs()[i]);
        }
        storages.put(file.getPath() + " " + block.getBlock().getBlockName(), at);
      }
    }
    return storages;
  }

  /** Waits until the surplus replicas of what was converted, and of parity, are deleted. */
  void settle(String path) throws IOException {
    fixture.assertConverted(path);
    for (String settled : List.of(path, BraidPaths.STRIPES)) {
      Await.until(
          "one replica of each block of " + settled,
          () -> at(settled).values().stream().allMatch(all -> all.size() == 1));
    }
  }

  /** Has all nodes run, and deletes a directory with its stripes. */
  void clean(String path) throws IOException {
    fixture.startAll();
    fixture.fs.delete(new Path(path), true);
    fixture.repair("/", "star");
    Await.until("no stripe to be left", () -> fixture.stripes().isEmpty());
  }

  /** The types of storage that have replicas. */
  Set<String> types(String path) throws IOException {
    Set<String> found = new TreeSet<>();
    perBlock(path).forEach(each -> found.addAll(Arrays.asList(each.split(" "))));
    return found;
  }

  /** The types of the replicas of each block, in the order of their names. */
  Set<String> perBlock(String path) throws IOException {
    return at(path).values().stream()
        .map(
            all ->
                all.stream()
                    .map(storage -> storage.replaceAll(" .*", ""))
                    .sorted()
                    .collect(Collectors.joining(" ")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  void assertTypes(String type, String... paths) throws IOException {
    for (String path : paths) {
      assertEquals(Set.of(type), types(path), path);
    }
  }

  void assertMoverMovesNothing() throws Exception {
    Map<String, List<String>> before = at("/");
    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/"));
    assertEquals(before, at("/"));
  }
}
