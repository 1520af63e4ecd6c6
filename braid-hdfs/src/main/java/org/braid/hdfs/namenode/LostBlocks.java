package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.namenode.StripeReader.Held;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.rpc.StripeCode;

/** Which blocks cannot be read now, and which of them can be rebuilt from their stripes. */
final class LostBlocks {
  private final NameNodeHost host;
  private final StripeIndex index;

  LostBlocks(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** Those of some blocks that can be read, or that do not exist any more. */
  Set<Long> readable(Set<Long> blocks) throws IOException {
    return host.reading(
        "braidReadable",
        () -> {
          Set<Long> readable = new HashSet<>();
          for (long id : blocks) {
            Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
            if (block.isEmpty() || readable(block.get())) {
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
    for (int i = 0; i < entry.stripe().getMembersCount(); i++) {
      MemberProto member = entry.stripe().getMembers(i);
      Optional<Held> held = StripeReader.held(host, member);
      if (!member.hasBlock() || (held.isPresent() && readable(held.get().block()))) {
        available.add(i);
      } else if (held.isPresent() && member.getBlock().getId() == id) {
        lost = i;
      }
    }
    if (lost < 0) {
      return false;
    }
    try {
      ErasureCode code = StripeCode.of(entry.stripe());
      return code.n() == entry.stripe().getMembersCount()
          && Solver.solve(code, List.of(lost), available).isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether a copy is on a node that lives and answers; the lock is held. */
  private boolean readable(BlockInfo block) {
    return ReplicaView.of(host.blocks(), block).stream()
        .anyMatch(
            replica ->
                replica.alive()
                    && !replica.corrupt()
                    && !replica.excess()
                    && !replica.suspect(host));
  }
}
