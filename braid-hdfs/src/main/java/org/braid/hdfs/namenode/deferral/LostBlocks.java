package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.stripe.Member;

/** Which blocks cannot be read now, and which of them can be rebuilt from their stripes. */
public final class LostBlocks {
  private final NameNodeHost host;
  private final StripeIndex index;

  public LostBlocks(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** Whether a block is in a published stripe, as far as is known in memory. */
  boolean isEncoded(long block) {
    return index.known(block).isPresent();
  }

  /** Those of some blocks that can be read, or that do not exist any more. */
  public Set<Long> readable(Set<Long> blocks) throws IOException {
    return host.reading(
        "braidReadable",
        () -> {
          Set<Long> readable = new HashSet<>();
          for (long id : blocks) {
            Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
            if (block.isEmpty() || ReplicaView.readable(host, block.get())) {
              readable.add(id);
            }
          }
          return readable;
        });
  }

  /** Those of some blocks that are lost and whose stripes still determine them. */
  Set<Long> rebuildable(Set<Long> blocks) throws IOException {
    return host.reading(
        "braidRebuildable",
        () -> {
          Set<Long> found = new HashSet<>();
          for (long id : blocks) {
            Optional<Entry> entry = index.known(id);
            if (entry.isPresent() && rebuildable(entry.get(), id)) {
              found.add(id);
            }
          }
          return found;
        });
  }

  private boolean rebuildable(Entry entry, long id) throws IOException {
    List<Integer> available = new ArrayList<>();
    int lost = -1;
    for (int i = 0; i < entry.stripe().members().size(); i++) {
      Member member = entry.stripe().member(i);
      Optional<Held> held = StripeReader.held(host, member);
      if (member.isVirtual()
          || (held.isPresent() && ReplicaView.readable(host, held.get().block()))) {
        available.add(i);
      } else if (held.isPresent() && member.isBlock(id)) {
        lost = i;
      }
    }
    if (lost < 0) {
      return false;
    }
    return entry.stripe().isSupported()
        && Solver.solve(entry.stripe().code(), List.of(lost), available).isPresent();
  }
}
