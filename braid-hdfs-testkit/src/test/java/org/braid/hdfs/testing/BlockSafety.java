package org.braid.hdfs.testing;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
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
 * replicas: none of these may have fewer later, unless its stripe protects it.
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

  /** Blocks with their generation, which an append changes: its pipeline reports anew. */
  private final Set<String> safe = new HashSet<>();

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
          return top == null ? null : look(top, enough);
        });
  }

  private @Nullable String look(INode inode, Protection enough) throws IOException {
    if (inode.isFile() && !inode.asFile().isUnderConstruction()) {
      return look(inode.asFile(), enough);
    }
    if (inode.isDirectory()) {
      for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        String found = look(child, enough);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable String look(INodeFile file, Protection enough) throws IOException {
    for (BlockInfo block : file.getBlocks()) {
      int live = live(block);
      if (live >= 2) {
        safe.add(block.toString());
      } else if (safe.contains(block.toString()) && protection(block).compareTo(enough) > 0) {
        return "%s of %s: %d live replicas, and protection by its stripe: %s, of %s"
            .formatted(
                block.getBlockName(),
                file.getFullPathName(),
                live,
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
