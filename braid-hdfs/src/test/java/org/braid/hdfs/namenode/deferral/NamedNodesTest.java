package org.braid.hdfs.namenode.deferral;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedDirectoryListingProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** What is left of the nodes that answers name, and what it costs. */
final class NamedNodesTest {
  private static final long SIZE = 100;

  private final Set<String> silent = new HashSet<>();
  private final Set<Long> encoded = new HashSet<>();
  private final Set<Long> unrebuildable = new HashSet<>();
  private final List<String> nodesAsked = new ArrayList<>();
  private final List<Set<Long>> blocksAsked = new ArrayList<>();

  private final NamedNodes named =
      new NamedNodes(
          new NamedNodes.Known() {
            @Override
            public boolean suspect(String uuid) {
              nodesAsked.add(uuid);
              return silent.contains(uuid);
            }

            @Override
            public boolean encoded(long block) {
              return encoded.contains(block);
            }

            @Override
            public Set<Long> rebuildable(Set<Long> blocks) throws IOException {
              blocksAsked.add(blocks);
              Set<Long> found = new HashSet<>(blocks);
              found.removeAll(unrebuildable);
              return found;
            }
          });

  private static LocatedBlock block(long id, boolean corrupt, String... nodes) {
    DatanodeInfo[] infos =
        Stream.of(nodes)
            .map(
                node ->
                    new DatanodeInfoBuilder()
                        .setNodeID(new DatanodeID("127.0.0.1", node, node, 1, 2, 3, 4))
                        .build())
            .toArray(DatanodeInfo[]::new);
    String[] storages = Stream.of(nodes).map(node -> "storage of " + node).toArray(String[]::new);
    StorageType[] types =
        Stream.of(nodes).map(node -> StorageType.DISK).toArray(StorageType[]::new);
    return new LocatedBlock(
        new ExtendedBlock("pool", id, SIZE, 1), infos, storages, types, 0, corrupt, null);
  }

  private static HdfsFileStatus file(LocatedBlock... blocks) {
    return new HdfsFileStatus.Builder()
        .length(SIZE * blocks.length)
        .path("file".getBytes(StandardCharsets.UTF_8))
        .locations(
            new LocatedBlocks(SIZE * blocks.length, false, List.of(blocks), null, true, null, null))
        .build();
  }

  private static GetListingResponseProto listing(HdfsFileStatus... files) {
    return GetListingResponseProto.newBuilder()
        .setDirList(PBHelperClient.convert(new DirectoryListing(files, 0)))
        .build();
  }

  private static List<String> nodes(LocatedBlockProto block) {
    assertEquals(block.getLocsCount(), block.getStorageIDsCount());
    assertEquals(block.getLocsCount(), block.getStorageTypesCount());
    assertEquals(block.getLocsCount(), block.getIsCachedCount());
    return block.getLocsList().stream().map(node -> node.getId().getDatanodeUuid()).toList();
  }

  private static List<String> nodes(HdfsFileStatusProto file) {
    return nodes(file.getLocations().getBlocks(0));
  }

  private List<List<String>> listed(boolean direct, LocatedBlock... blocks) {
    HdfsFileStatus[] files =
        Stream.of(blocks).map(NamedNodesTest::file).toArray(HdfsFileStatus[]::new);
    return named.in(listing(files), direct).getDirList().getPartialListingList().stream()
        .map(NamedNodesTest::nodes)
        .toList();
  }

  @Test
  void aSilentNodeIsNamedForNoBlockThatBraidsClientCanRebuild() {
    silent.add("a");
    encoded.addAll(List.of(1L, 2L, 3L));
    unrebuildable.add(3L);
    assertEquals(
        List.of(List.of(), List.of("b"), List.of("a"), List.of("a")),
        listed(
            true,
            block(1, false, "a"),
            block(2, false, "a", "b"),
            block(3, false, "a"),
            block(4, false, "a"))); // which is in no stripe
  }

  /** Others had better ask a silent node than none. */
  @Test
  void otherClientsAreToldOfASilentNodeWhereThereIsNoOther() {
    silent.add("a");
    encoded.addAll(List.of(1L, 2L));
    assertEquals(
        List.of(List.of("a"), List.of("b")),
        listed(false, block(1, false, "a"), block(2, false, "a", "b")));
    assertEquals(List.of(), blocksAsked);
  }

  @Test
  void nobodyIsToldOfBadReplicasOfWhatCanBeRebuilt() {
    encoded.addAll(List.of(1L, 2L));
    unrebuildable.add(2L);
    assertEquals(
        List.of(List.of(), List.of("a")), listed(false, block(1, true, "a"), block(2, true, "a")));
  }

  @Test
  void aHealthyListingIsLeftAloneAndNothingIsAskedForItsBlocks() {
    encoded.add(1L);
    GetListingResponseProto page = listing(file(block(1, false, "a")), file(block(2, false, "b")));
    assertSame(page, named.in(page, true));
    GetListingResponseProto nothing = GetListingResponseProto.getDefaultInstance();
    assertSame(nothing, named.in(nothing, true));
    assertEquals(List.of(), blocksAsked);
  }

  /** Each question costs a hold of the NameNode's lock. */
  @Test
  void forAThousandFilesItIsAskedOnce() {
    silent.add("a");
    LocatedBlock[] blocks = new LocatedBlock[1000];
    for (int i = 0; i < blocks.length; i++) {
      encoded.add((long) i);
      blocks[i] = block(i, false, i % 2 == 0 ? "a" : "b");
    }
    List<List<String>> nodes = listed(true, blocks);
    assertEquals(500, nodes.stream().filter(List::isEmpty).count());
    assertEquals(List.of(500), blocksAsked.stream().map(Set::size).toList());
    assertEquals(List.of("a", "b"), nodesAsked);
  }

  @Test
  void listingsOfSeveralPathsAreLookedThroughLikewise() {
    silent.add("a");
    encoded.addAll(List.of(1L, 2L));
    GetBatchedListingResponseProto.Builder page =
        GetBatchedListingResponseProto.newBuilder()
            .setStartAfter(ByteString.EMPTY)
            .setHasMore(false);
    for (long id = 1; id <= 2; id++) {
      page.addListings(
          BatchedDirectoryListingProto.newBuilder()
              .setParentIdx((int) id)
              .addPartialListing(PBHelperClient.convert(file(block(id, false, "a")))));
    }
    GetBatchedListingResponseProto cut = named.in(page.build(), true);
    assertEquals(2, cut.getListingsCount());
    for (BatchedDirectoryListingProto listing : cut.getListingsList()) {
      assertEquals(List.of(), nodes(listing.getPartialListing(0)));
    }
    assertEquals(List.of(Set.of(1L, 2L)), blocksAsked);
  }
}
