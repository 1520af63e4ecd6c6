package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.stripe.Stripe;

/**
 * Blocks of a stripe that another one can be rebuilt from, should its only copy be lost: without
 * them no surplus copy of it may go.
 */
record RebuildSources(Set<Integer> positions) {
  /**
   * Looks them up; empty when what can be read now does not determine the block. It is solved
   * without the NameNode's lock.
   *
   * @param what for, as the NameNode is to report it
   */
  static Optional<RebuildSources> of(NameNodeHost host, String what, Entry entry, int position)
      throws IOException {
    Stripe stripe = entry.stripe();
    List<Integer> others = host.reading(what, () -> StripeReader.available(host, entry));
    others.remove(Integer.valueOf(position));
    return stripe.isSupported()
            && Solver.solve(stripe.code(), List.of(position), others).isPresent()
        ? Optional.of(new RebuildSources(Set.copyOf(others)))
        : Optional.empty();
  }

  /** Whether all of them can still be read. The lock is held. */
  boolean areThere(NameNodeHost host, Entry entry) throws IOException {
    return StripeReader.available(host, entry).containsAll(positions);
  }
}
