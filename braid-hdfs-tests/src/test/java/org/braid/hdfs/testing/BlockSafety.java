package org.braid.hdfs.testing;

import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all blocks below a directory, under the NameNode's lock, and remembers which had two
 * replicas: none of these may have fewer later, unless its stripe protects it, as long as a file or
 * a snapshot has it.
 */
public final class BlockSafety {
  /** How a block that has one replica is protected. */
  public enum Protection {
    /** Its stripe is published, verified, and has lost nothing. */
    WHOLE,
    /** The same, but the stripe has lost some of its blocks. */
    THINNED,
    /** It is in no published stripe as it is now. */
    NONE
  }

  private final NameNodeHost host;
  private final StripeIndex index;
  private final String root;

  /**
   * Blocks by number, with their generation, which an append changes: its pipeline reports anew.
   */
  private final Map<Long, String> safe = new HashMap<>();

  public BlockSafety(BraidNameNodePlugin plugin, String root) {
    this.host = plugin.host();
    this.index = plugin.index();
    this.root = root;
  }

  /**
   * Looks once.
   *
   * @param enough the least protection of a block with one replica
   * @return what is wrong; null for nothing
   */
  public @Nullable String look(Protection enough) throws IOException {
    return host.reading(
        "blockSafety",
        () -> {
          INode top = host.inode(root);
          if (top != null) {
            remember(top);
          }
          return check(enough);
        });
  }

  private void remember(INode inode) {
    if (inode.isFile() && !inode.asFile().isUnderConstruction()) {
      for (BlockInfo block : inode.asFile().getBlocks()) {
        if (live(block) >= 2) {
          safe.put(block.getBlockId(), block.toString());
        }
      }
    }
    if (inode.isDirectory()) {
      for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        remember(child);
      }
    }
  }

  /** Looks at all that were safe and are still somewhere, also if only in snapshots. */
  private @Nullable String check(Protection enough) throws IOException {
    for (Iterator<Map.Entry<Long, String>> i = safe.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<Long, String> known = i.next();
      BlockInfo block = host.blocks().getStoredBlock(new Block(known.getKey()));
      INodeFile file =
          block == null || block.isDeleted()
              ? null
              : host.namesystem().getBlockCollection(block.getBlockCollectionId());
      if (file == null || !block.toString().equals(known.getValue())) {
        i.remove();
      } else if (!file.isUnderConstruction()
          && live(block) < 2
          && protection(block).compareTo(enough) > 0) {
        return "%s of %s: %d live replicas of %d, and protection by its stripe: %s, of %s"
            .formatted(
                block.getBlockName(),
                file.getFullPathName(),
                live(block),
                block.getReplication(),
                protection(block),
                index.known(block.getBlockId()).map(entry -> entry.stripe().id()));
      }
    }
    return null;
  }

  private int live(BlockInfo block) {
    return host.blocks().countNodes(block).liveReplicas();
  }

  private Protection protection(BlockInfo block) throws IOException {
    Optional<Entry> entry = index.known(block.getBlockId());
    if (entry.isEmpty()
        || !entry.get().stripe().verified()
        || index.holding(block).isEmpty()
        || host.inode(entry.get().path()) == null) {
      return Protection.NONE;
    }
    for (Member member : entry.get().stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (!member.isVirtual() && (held.isEmpty() || live(held.get().block()) == 0)) {
        return Protection.THINNED;
      }
    }
    return Protection.WHOLE;
  }
}
