package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.stripe.Member;

/** What there is of a stripe's blocks now; made under the namesystem's lock. */
public final class StripeReader {
  private StripeReader() {}

  /** A member's block and the file that owns it. */
  public record Held(BlockInfo block, INodeFile file) {
    /** Whether the block is to have several replicas, by its file and in memory. */
    public boolean isReplicated() {
      return file.getFileReplication() > 1 && block.getReplication() > 1;
    }

    /**
     * Whether a snapshot has the file with replication 1. HDFS gives that to blocks that only
     * snapshots have, at a restart or when another snapshot goes, although they had more.
     */
    public boolean isOneInSnapshots() {
      if (file.getFileWithSnapshotFeature() == null) {
        return false;
      }
      for (FileDiff diff : file.getFileWithSnapshotFeature().getDiffs()) {
        if (file.getSnapshotINode(diff.getSnapshotId()).getFileReplication() == 1) {
          return true;
        }
      }
      return false;
    }
  }

  /** The block of a member if it still is as recorded and belongs to a file. */
  public static Optional<Held> held(NameNodeHost host, Member member) throws IOException {
    if (member.isVirtual()) {
      return Optional.empty();
    }
    Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), member.block().id());
    if (stored.isEmpty() || !ReplicaView.same(stored.get(), member.block())) {
      return Optional.empty();
    }
    INodeFile file = host.namesystem().getBlockCollection(stored.get().getBlockCollectionId());
    return file == null ? Optional.empty() : Optional.of(new Held(stored.get(), file));
  }

  /** Whether data blocks of a stripe were deleted or changed since encoding. */
  static boolean lostData(NameNodeHost host, Entry entry) throws IOException {
    if (!entry.stripe().isSupported()) {
      return false;
    }
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      if (!member.isVirtual() && held(host, member).isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
