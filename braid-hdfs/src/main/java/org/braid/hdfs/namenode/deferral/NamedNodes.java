package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedDirectoryListingProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the nodes that HDFS's answers name for blocks. Leaves out suspect nodes of an encoded
 * block if it has other nodes. Braid's own client rebuilds blocks itself, so it gets no suspect
 * nodes of a block that can be rebuilt. Nobody gets replicas that are all known to be bad while the
 * block can be rebuilt: they may match HDFS's checksums.
 *
 * <p>Processes an answer without the NameNode's lock, and checks each node once for it, however
 * many blocks name the node. If blocks would be left without a node, asks once which of them can be
 * rebuilt.
 */
final class NamedNodes {
  private static final Logger LOG = LoggerFactory.getLogger(NamedNodes.class);

  private final Known known;

  /** The NameNode's knowledge of nodes and blocks. */
  interface Known {
    /** Whether a node, named by its UUID, is dead or silent. */
    boolean suspect(String uuid);

    /** Whether a block is in a stripe. */
    boolean encoded(long block);

    /** The blocks among {@code blocks} that are lost and can be rebuilt. */
    Set<Long> rebuildable(Set<Long> blocks) throws IOException;
  }

  NamedNodes(Known known) {
    this.known = known;
  }

  /** Filters an answer about one block to a writer, who rebuilds no blocks. */
  LocatedBlockProto in(LocatedBlockProto block) {
    Answer answer = new Answer(false);
    if (!answer.concerns(block)) {
      return block;
    }
    answer.note(block);
    answer.ask();
    return answer.cut(block);
  }

  /**
   * Filters an answer about a file.
   *
   * @param direct whether the caller rebuilds lost blocks itself
   */
  GetBlockLocationsResponseProto in(GetBlockLocationsResponseProto file, boolean direct) {
    Answer answer = new Answer(direct);
    if (!file.hasLocations() || !answer.note(file.getLocations())) {
      return file;
    }
    answer.ask();
    return file.toBuilder().setLocations(answer.cut(file.getLocations())).build();
  }

  /** Filters a page of a directory's listing with locations. */
  GetListingResponseProto in(GetListingResponseProto page, boolean direct) {
    Answer answer = new Answer(direct);
    if (!page.hasDirList() || !answer.note(page.getDirList().getPartialListingList())) {
      return page;
    }
    answer.ask();
    GetListingResponseProto.Builder cut = page.toBuilder();
    List<HdfsFileStatusProto> files = answer.cut(page.getDirList().getPartialListingList());
    cut.getDirListBuilder().clearPartialListing().addAllPartialListing(files);
    return cut.build();
  }

  /** Filters a page of listings of several paths with locations. */
  GetBatchedListingResponseProto in(GetBatchedListingResponseProto page, boolean direct) {
    Answer answer = new Answer(direct);
    boolean concerned = false;
    for (BatchedDirectoryListingProto listing : page.getListingsList()) {
      concerned |= answer.note(listing.getPartialListingList());
    }
    if (!concerned) {
      return page;
    }
    answer.ask();
    GetBatchedListingResponseProto.Builder cut = page.toBuilder();
    for (BatchedDirectoryListingProto.Builder listing : cut.getListingsBuilderList()) {
      List<HdfsFileStatusProto> files = answer.cut(listing.getPartialListingList());
      listing.clearPartialListing().addAllPartialListing(files);
    }
    return cut.build();
  }

  /** One answer: its blocks are noted, then it is asked what is rebuilt, then they are cut. */
  private final class Answer {
    private final boolean direct;
    private final Map<String, Boolean> suspects = new HashMap<>();
    private final Map<Long, Boolean> encoded = new HashMap<>();
    private final Set<Long> lost = new LinkedHashSet<>();
    private Set<Long> rebuildable = Set.of();

    Answer(boolean direct) {
      this.direct = direct;
    }

    private boolean suspect(DatanodeInfoProto node) {
      return suspects.computeIfAbsent(node.getId().getDatanodeUuid(), known::suspect);
    }

    /** Whether a block is encoded and has nodes that may be left out. */
    boolean concerns(LocatedBlockProto block) {
      return block.getBlockIndices().isEmpty()
          && (block.getCorrupt() || block.getLocsList().stream().anyMatch(this::suspect))
          && encoded.computeIfAbsent(block.getB().getBlockId(), known::encoded);
    }

    /** Notes such blocks of files; returns whether there are any. */
    boolean note(List<HdfsFileStatusProto> files) {
      boolean concerned = false;
      for (HdfsFileStatusProto file : files) {
        concerned |= file.hasLocations() && note(file.getLocations());
      }
      return concerned;
    }

    /** Notes such blocks; returns whether there are any. */
    boolean note(LocatedBlocksProto blocks) {
      boolean concerned = false;
      for (LocatedBlockProto block : blocks.getBlocksList()) {
        if (concerns(block)) {
          concerned = true;
          note(block);
        }
      }
      if (concerned && blocks.hasLastBlock() && concerns(blocks.getLastBlock())) {
        note(blocks.getLastBlock());
      }
      return concerned;
    }

    /** Notes a block that is concerned. */
    void note(LocatedBlockProto block) {
      if ((direct || block.getCorrupt()) && block.getLocsCount() > 0 && kept(block).isEmpty()) {
        lost.add(block.getB().getBlockId());
      }
    }

    void ask() {
      if (lost.isEmpty()) {
        return;
      }
      try {
        rebuildable = known.rebuildable(lost);
      } catch (IOException e) {
        LOG.debug("nodes of lost blocks are named as HDFS does: {}", e.getMessage());
      }
    }

    private List<Integer> kept(LocatedBlockProto block) {
      List<Integer> kept = new ArrayList<>();
      for (int i = 0; i < block.getLocsCount(); i++) {
        if (!block.getCorrupt() && !suspect(block.getLocs(i))) {
          kept.add(i);
        }
      }
      return kept;
    }

    List<HdfsFileStatusProto> cut(List<HdfsFileStatusProto> files) {
      List<HdfsFileStatusProto> cut = new ArrayList<>();
      for (HdfsFileStatusProto file : files) {
        boolean concerned = file.getLocations().getBlocksList().stream().anyMatch(this::concerns);
        cut.add(concerned ? file.toBuilder().setLocations(cut(file.getLocations())).build() : file);
      }
      return cut;
    }

    LocatedBlocksProto cut(LocatedBlocksProto blocks) {
      LocatedBlocksProto.Builder all = blocks.toBuilder();
      for (int i = 0; i < all.getBlocksCount(); i++) {
        all.setBlocks(i, cut(all.getBlocks(i)));
      }
      return all.hasLastBlock() ? all.setLastBlock(cut(all.getLastBlock())).build() : all.build();
    }

    LocatedBlockProto cut(LocatedBlockProto block) {
      if (!concerns(block)) {
        return block;
      }
      List<Integer> kept = kept(block);
      if (kept.size() == block.getLocsCount()
          || (kept.isEmpty() && !rebuildable.contains(block.getB().getBlockId()))) {
        return block;
      }
      LocatedBlockProto.Builder built =
          block.toBuilder().clearLocs().clearIsCached().clearStorageTypes().clearStorageIDs();
      for (int i : kept) {
        built.addLocs(block.getLocs(i));
        if (i < block.getIsCachedCount()) {
          built.addIsCached(block.getIsCached(i));
        }
        if (i < block.getStorageTypesCount()) {
          built.addStorageTypes(block.getStorageTypes(i));
        }
        if (i < block.getStorageIDsCount()) {
          built.addStorageIDs(block.getStorageIDs(i));
        }
      }
      return built.build();
    }
  }
}
