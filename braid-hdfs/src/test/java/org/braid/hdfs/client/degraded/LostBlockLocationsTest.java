package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locations of what a directory lists: files with lost blocks, empty files, directories. */
final class LostBlockLocationsTest {
  private static final URI CLUSTER = URI.create("hdfs://cluster");

  private MemoryStripe stripe;

  @BeforeEach
  void start() {
    stripe = new MemoryStripe("rs-3-2", Seeds.random(getClass()));
  }

  @AfterEach
  void stop() {
    stripe.close();
  }

  /** An entry as a listing has it, its locations filled in. */
  private LocatedFileStatus listed(HdfsFileStatus.Builder entry, String name) {
    return listed(entry, name, "chain");
  }

  private LocatedFileStatus listed(HdfsFileStatus.Builder entry, String name, String shape) {
    return listed(entry, name, new LostBlockLocations(stripe, RepairPlanners.named(shape)));
  }

  private static LocatedFileStatus listed(
      HdfsFileStatus.Builder entry, String name, LostBlockLocations locations) {
    HdfsFileStatus status = entry.path(name.getBytes(StandardCharsets.UTF_8)).build();
    LocatedFileStatus located =
        ((HdfsLocatedFileStatus) status).makeQualifiedLocated(CLUSTER, new Path("/listed"));
    locations.fill(located);
    return located;
  }

  private static LocatedBlocks blocks(List<LocatedBlock> blocks) {
    return new LocatedBlocks(
        blocks.size() * (long) MemoryStripe.BLOCK, false, blocks, null, true, null, null);
  }

  /** The entry of a file with one block, which is lost. */
  private HdfsFileStatus.Builder lostBlock() {
    return new HdfsFileStatus.Builder()
        .length(MemoryStripe.BLOCK)
        .locations(blocks(List.of(stripe.lost(1))));
  }

  @Test
  void lostBlockIsWhereItWas() throws IOException {
    LocatedFileStatus file = listed(lostBlock(), "file");
    BlockLocation location = file.getBlockLocations()[0];
    assertEquals(Set.of("node-0", "node-1", "node-2", "node-3", "node-4"), stripe.named);
    // Block 1 was in rack 1, and so is block 4.
    assertEquals(Set.of("node-1", "node-4"), new TreeSet<>(List.of(location.getHosts())));
    assertTrue(location.getTopologyPaths()[0].startsWith("/rack1/"), "no node of its rack");
  }

  /** Programs go through the nodes of a block, and look for the storage of each. */
  @Test
  void eachNodeHasAllThatHdfsTellsOfOne() throws IOException {
    LocatedFileStatus file = listed(lostBlock(), "file");
    BlockLocation location = file.getBlockLocations()[0];
    int nodes = location.getHosts().length;
    assertEquals(2, nodes);
    assertEquals(nodes, location.getNames().length);
    assertEquals(nodes, location.getTopologyPaths().length);
    assertEquals(List.of("", ""), List.of(location.getStorageIds()));
    assertEquals(
        List.of(StorageType.DEFAULT, StorageType.DEFAULT), List.of(location.getStorageTypes()));
  }

  /** Blocks 0 and 3 are in rack 0, so that only one other has to come there. */
  @Test
  void lostBlockIsWhereMostOfItsHelpersAre() throws IOException {
    LocatedFileStatus file = listed(lostBlock(), "file", "star");
    BlockLocation location = file.getBlockLocations()[0];
    assertEquals(Set.of("node-0", "node-3"), new TreeSet<>(List.of(location.getHosts())));
  }

  /** What is lost of thousands of small files must not be planned for file by file. */
  @Test
  void ofAListingOnlyTheFirstLostBlocksArePlannedFor() throws IOException {
    LostBlockLocations listing = new LostBlockLocations(stripe, RepairPlanners.named("star"));
    List<Set<String>> hosts = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      LocatedFileStatus file = listed(lostBlock(), "file" + i, listing);
      hosts.add(Set.of(file.getBlockLocations()[0].getHosts()));
    }
    assertEquals(Set.of("node-0", "node-3"), hosts.get(0));
    // The rack that the block was in.
    assertEquals(Set.of("node-1", "node-4"), hosts.get(499));
  }

  @Test
  void directoriesAndEmptyFilesHaveNoLocations() {
    LocatedFileStatus directory = listed(new HdfsFileStatus.Builder().isdir(true), "directory");
    assertTrue(directory.isDirectory());
    LocatedFileStatus empty =
        listed(new HdfsFileStatus.Builder().length(0).locations(blocks(List.of())), "empty");
    assertEquals(0, empty.getBlockLocations().length);
  }

  /** Nodes beside the stripe's are only known as they were a minute ago. */
  @Test
  void nodesThatStoppedMeanwhileAreNotNamed() throws IOException {
    stripe.add("another-1", "/rack1");
    stripe.add("another-2", "/rack1");
    stripe.stopUnseen("another-1");
    LocatedFileStatus file = listed(lostBlock(), "file");
    BlockLocation location = file.getBlockLocations()[0];
    assertEquals(
        Set.of("node-1", "node-4", "another-2"), new TreeSet<>(List.of(location.getHosts())));
  }
}
