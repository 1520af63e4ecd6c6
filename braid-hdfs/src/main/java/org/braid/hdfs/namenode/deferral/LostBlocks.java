package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Pages;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.stripe.Stripe;

/**
 * Finds the blocks that clients cannot read now, and among them those that can be rebuilt from
 * their stripes or copied from a node in maintenance.
 */
public final class LostBlocks {
  /** Blocks that are looked at under one hold of the NameNode's lock. */
  private static final int PAGE = 1000;

  /** Blocks whose stripes are. */
  private static final int STRIPES_PAGE = 100;

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

  /** Replicas of encoded blocks among {@code blocks}, on nodes in maintenance that answer. */
  Map<Long, ReplicaView> inMaintenance(Set<Long> blocks) throws IOException {
    Set<Long> encoded = new HashSet<>(blocks);
    encoded.removeIf(id -> index.number(id) < 0);
    Map<Long, ReplicaView> found = new HashMap<>();
    for (List<Long> page : Pages.of(encoded, PAGE)) {
      host.readingBlocks(
          "braidMaintained",
          () -> {
            page.forEach(id -> inMaintenance(id).ifPresent(copy -> found.put(id, copy)));
            return true;
          });
    }
    return found;
  }

  private Optional<ReplicaView> inMaintenance(long block) {
    return ReplicaView.stored(host.blocks(), block).stream()
        .flatMap(stored -> ReplicaView.of(host.blocks(), stored).stream())
        .filter(copy -> copy.usable() && copy.node().isInMaintenance() && !copy.suspect(host))
        .findFirst();
  }

  /** The blocks among {@code blocks} that are readable or no longer exist. */
  public Set<Long> readable(Set<Long> blocks) throws IOException {
    Set<Long> readable = new HashSet<>();
    for (List<Long> page : Pages.of(blocks, PAGE)) {
      host.readingBlocks("braidReadable", () -> readable.addAll(readableOf(page)));
    }
    return readable;
  }

  private List<Long> readableOf(List<Long> page) {
    List<Long> readable = new ArrayList<>();
    for (long id : page) {
      Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
      if (block.isEmpty() || ReplicaView.offered(host, block.get())) {
        readable.add(id);
      }
    }
    return readable;
  }

  /**
   * A lost block, as the NameNode saw it.
   *
   * @param lost its number in its stripe
   * @param available the numbers of those that workers can read, the lost one among them when its
   *     node is in maintenance
   */
  private record Lost(long id, Stripe stripe, int lost, List<Integer> available) {
    boolean isRebuildable() {
      return stripe.isSupported()
          && (available.contains(lost)
              || Solver.solve(stripe.code(), List.of(lost), available).isPresent());
    }
  }

  /**
   * The blocks among {@code blocks} that are lost and whose stripes determine them, or that can be
   * copied from a node in maintenance.
   */
  Set<Long> rebuildable(Set<Long> blocks) throws IOException {
    Set<Long> found = new HashSet<>();
    for (List<Long> page : Pages.of(blocks, STRIPES_PAGE)) {
      // Solved without the NameNode's lock.
      for (Lost block : host.reading("braidRebuildable", () -> lost(page))) {
        if (block.isRebuildable()) {
          found.add(block.id);
        }
      }
    }
    return found;
  }

  private List<Lost> lost(List<Long> page) throws IOException {
    List<Lost> found = new ArrayList<>();
    for (long id : page) {
      Optional<Entry> entry = index.known(id);
      if (entry.isPresent()) {
        lost(entry.get(), id).ifPresent(found::add);
      }
    }
    return found;
  }

  private Optional<Lost> lost(Entry entry, long id) throws IOException {
    OptionalInt position = entry.stripe().positionOf(id);
    if (position.isEmpty()) {
      return Optional.empty();
    }
    int lost = position.getAsInt();
    Optional<StripeReader.Held> held = StripeReader.held(host, entry.stripe().member(lost));
    return held.isPresent() && !ReplicaView.offered(host, held.get().block())
        ? Optional.of(new Lost(id, entry.stripe(), lost, StripeReader.available(host, entry)))
        : Optional.empty();
  }
}
