package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.braid.hdfs.coordinator.scrub.StripeReads.Read;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Reads some stripes: one replica at a time on each node, on many nodes at once. Then it compares
 * the blocks of each stripe with each other.
 */
final class ScrubBatch {
  /** Nodes that read at once on a small cluster; on a large one it is a part of all. */
  private static final int FEW_NODES = 128;

  private static final int PART = 8;

  /** Each node that reads takes threads here. */
  private static final int MOST_NODES = 512;

  private final ReplicaCheck check;
  private final StripeParity stripeCheck;
  private final ScrubTally tally;

  /**
   * A batch.
   *
   * @param seeds of the hashes of each stripe
   */
  ScrubBatch(ReplicaCheck check, ScrubTally tally, LongSupplier seeds) {
    this.check = check;
    stripeCheck = new StripeParity(check, tally, seeds);
    this.tally = tally;
  }

  /**
   * How many nodes of a cluster read at once. With a fixed number the time of a round would grow
   * with the cluster, beyond the period in which each replica is to be read.
   */
  static int atOnce(int nodes) {
    return Math.max(FEW_NODES, Math.min(MOST_NODES, nodes / PART));
  }

  /**
   * Reads the replicas of stripes.
   *
   * @return the number of leading stripes that were read completely before the end
   * @throws IOException when this thread is interrupted
   */
  int read(List<StripeStatus> stripes, ClusterState state) throws IOException {
    AtomicBoolean[] left = new AtomicBoolean[stripes.size()];
    record Numbered(int stripe, Read read) {}
    List<StripeReads> all = new ArrayList<>();
    List<StripeHashes> hashes = new ArrayList<>();
    Map<Integer, List<Numbered>> byNode = new TreeMap<>();
    for (int i = 0; i < left.length; i++) {
      left[i] = new AtomicBoolean();
      StripeReads reads = StripeReads.of(stripes.get(i), state);
      all.add(reads);
      hashes.add(stripeCheck.hashes(stripes.get(i)));
      reads.unchecked().forEach(tally::unchecked);
      tally.lost(reads.lost());
      for (Read read : reads.reads()) {
        byNode.computeIfAbsent(read.node(), node -> new ArrayList<>()).add(new Numbered(i, read));
      }
    }
    List<Parallel.Task> tasks = new ArrayList<>();
    for (List<Numbered> reads : byNode.values()) {
      tasks.add(
          () -> {
            for (Numbered one : reads) {
              if (!check.check(one.read, state, hashes.get(one.stripe))) {
                left[one.stripe].set(true);
              }
            }
          });
    }
    Parallel.run(atOnce(state.nodes().size()), tasks);
    int done = 0;
    while (done < left.length
        && !left[done].get()
        && stripeCheck.check(stripes.get(done), all.get(done).reads(), hashes.get(done), state)) {
      done++;
    }
    tally.stripes(done);
    return done;
  }
}
