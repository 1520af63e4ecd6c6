package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.StripePlacement.StripeLayout;

/**
 * Encoding-aware replication and the final places for codes with local groups (EAR section 3.5).
 */
public final class SubstripePlacement {
  /** Orders of substripes and ways to give up kept replicas that are tried. */
  private static final int TRIES = 30;

  private SubstripePlacement() {}

  /** Encoding-aware replication with {@link EncodingAwareReplication#DEFAULT_MAX_ATTEMPTS}. */
  public static EncodingAwareReplication replication(
      Topology topology, SubstripeLimits limits, ReplicaLayout layout) {
    return replication(topology, limits, layout, EncodingAwareReplication.DEFAULT_MAX_ATTEMPTS);
  }

  /**
   * Encoding-aware replication that keeps both conditions of the code. The last data block is
   * placed such that the parities find places too.
   */
  public static EncodingAwareReplication replication(
      Topology topology, SubstripeLimits limits, ReplicaLayout layout, int maxAttempts) {
    EncodingAwareReplication.Rules rules =
        new EncodingAwareReplication.Rules() {
          @Override
          public FlowTest after(
              IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
            return new Test(new Candidates(topology, eligible), replicas, limits, random);
          }

          @Override
          public String text() {
            return limits.text();
          }
        };
    return new EncodingAwareReplication(topology, rules, layout, maxAttempts);
  }

  private record Test(
      Candidates candidates, List<int[]> replicas, SubstripeLimits limits, RandomGenerator random)
      implements FlowTest {
    @Override
    public int size() {
      return SubstripeMatching.of(candidates.topology(), replicas, limits, inOrder(limits)).size();
    }

    @Override
    public boolean acceptsAny(int[] nodes) {
      List<int[]> more = new ArrayList<>(replicas);
      more.add(nodes);
      SubstripeMatching matching =
          SubstripeMatching.of(candidates.topology(), more, limits, inOrder(limits));
      if (matching.size() < more.size()) {
        return false;
      }
      return more.size() < limits.substripes().code().k()
          || complete(candidates, matching, more.size(), limits, List.of(), random).isPresent();
    }
  }

  private static int[] inOrder(SubstripeLimits limits) {
    return IntStream.range(0, limits.substripes().groups().size()).toArray();
  }

  /** The node of every block when the matched replicas stay but those of some blocks. */
  private static Optional<int[]> complete(
      Candidates candidates,
      SubstripeMatching matching,
      int blocks,
      SubstripeLimits limits,
      List<Integer> given,
      RandomGenerator random) {
    SubstripeFill fill = new SubstripeFill(candidates, limits, random);
    for (int block = 0; block < blocks; block++) {
      if (matching.nodeOf(block) != Candidates.NONE && !given.contains(block)) {
        fill.take(block, matching.nodeOf(block));
      }
    }
    return fill.complete();
  }

  /**
   * Lays out a stripe within the limits. Replicas stay as the flows of the substripes choose them;
   * where the other blocks then find no places, other orders of the substripes are tried, and more
   * and more replicas given up.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica
   * @throws PlacementException when no places within the limits exist
   */
  public static StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      SubstripeLimits limits,
      RandomGenerator random) {
    int k = limits.substripes().code().k();
    if (replicas.size() != k) {
      throw new IllegalArgumentException(
          "replicas of %d data blocks for %s, needed are %d"
              .formatted(replicas.size(), limits.substripes().code().name(), k));
    }
    Candidates candidates = new Candidates(topology, eligible);
    List<int[]> present =
        replicas.stream()
            .map(nodes -> Arrays.stream(nodes).filter(candidates::contains).toArray())
            .toList();
    int[] order = inOrder(limits);
    for (int given = 0; given <= k; given++) {
      for (int attempt = 0; attempt < TRIES; attempt++) {
        SubstripeMatching matching = SubstripeMatching.of(topology, present, limits, order);
        List<Integer> kept = new ArrayList<>();
        IntStream.range(0, k).filter(b -> matching.nodeOf(b) >= 0).forEach(kept::add);
        if (kept.size() == k || given > 0 || attempt >= TRIES / 2) {
          shuffle(kept, random);
          List<Integer> dropped = kept.subList(0, Math.min(given, kept.size()));
          Optional<int[]> nodes = complete(candidates, matching, k, limits, dropped, random);
          if (nodes.isPresent()) {
            return split(nodes.get(), present);
          }
        }
        order = shuffled(order, random);
      }
    }
    throw refusal(limits, candidates);
  }

  private static StripeLayout split(int[] nodes, List<int[]> replicas) {
    int k = replicas.size();
    List<Integer> relocated = new ArrayList<>();
    for (int block = 0; block < k; block++) {
      int node = nodes[block];
      if (Arrays.stream(replicas.get(block)).noneMatch(n -> n == node)) {
        relocated.add(block);
      }
    }
    return new StripeLayout(
        Arrays.copyOf(nodes, k), relocated, Arrays.copyOfRange(nodes, k, nodes.length));
  }

  private static PlacementException refusal(SubstripeLimits limits, Candidates candidates) {
    int n = limits.substripes().code().n();
    return new PlacementException(
        "places",
        n,
        candidates.size(),
        ("%s needs places for the %d blocks of a stripe %s, so that any %d racks may fail; none were"
                + " found on the %d eligible nodes in %d racks: add racks or let fewer racks fail")
            .formatted(
                limits.substripes().code().name(),
                n,
                limits.text(),
                limits.rackFailures(),
                candidates.size(),
                candidates.racks()));
  }

  private static int[] shuffled(int[] order, RandomGenerator random) {
    List<Integer> list = new ArrayList<>(Arrays.stream(order).boxed().toList());
    shuffle(list, random);
    return list.stream().mapToInt(i -> i).toArray();
  }

  private static void shuffle(List<Integer> list, RandomGenerator random) {
    for (int i = list.size() - 1; i > 0; i--) {
      list.set(i, list.set(random.nextInt(i + 1), list.get(i)));
    }
  }
}
