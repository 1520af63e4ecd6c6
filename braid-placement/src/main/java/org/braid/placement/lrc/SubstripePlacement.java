package org.braid.placement.lrc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.rule.EncodedStripe;

/**
 * Where the blocks of a stripe of a code with local groups are after encoding (EAR section 3.5).
 */
public final class SubstripePlacement {
  /** Attempts with other orders of substripes and other replicas given up. */
  private static final int TRIES = 30;

  private SubstripePlacement() {}

  /** The check of the next block. After the last data block the parities must find nodes too. */
  static FlowCheck after(
      EligibleNodes eligible,
      List<int[]> replicas,
      SubstripeLimits limits,
      RandomGenerator random) {
    return new Test(eligible, replicas, limits, random);
  }

  private record Test(
      EligibleNodes eligible, List<int[]> replicas, SubstripeLimits limits, RandomGenerator random)
      implements FlowCheck {
    @Override
    public int size() {
      return SubstripeFlowMatching.of(eligible.topology(), replicas, limits, inOrder(limits))
          .size();
    }

    @Override
    public boolean acceptsAny(int[] nodes) {
      List<int[]> more = new ArrayList<>(replicas);
      more.add(nodes);
      SubstripeFlowMatching matching =
          SubstripeFlowMatching.of(eligible.topology(), more, limits, inOrder(limits));
      if (matching.size() < more.size()) {
        return false;
      }
      return more.size() < limits.substripes().code().k()
          || complete(eligible, matching, more.size(), limits, List.of(), random).isPresent();
    }
  }

  private static int[] inOrder(SubstripeLimits limits) {
    return IntStream.range(0, limits.substripes().groups().size()).toArray();
  }

  /** The node of every block when all matched replicas stay but those of given blocks. */
  private static Optional<int[]> complete(
      EligibleNodes eligible,
      SubstripeFlowMatching matching,
      int blocks,
      SubstripeLimits limits,
      List<Integer> given,
      RandomGenerator random) {
    SubstripeCompletion fill = new SubstripeCompletion(eligible, limits, random);
    for (int block = 0; block < blocks; block++) {
      if (matching.nodeOf(block) != EligibleNodes.NONE && !given.contains(block)) {
        fill.take(block, matching.nodeOf(block));
      }
    }
    return fill.complete();
  }

  /**
   * Lays out a stripe within the limits. The replicas that the flows of the substripes choose stay.
   * If the other blocks then do not fit, other orders of the substripes are tried, and more and
   * more replicas are given up.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica
   * @throws PlacementException when no places within the limits exist
   */
  public static EncodedStripe layout(
      EligibleNodes eligible,
      List<int[]> replicas,
      SubstripeLimits limits,
      RandomGenerator random) {
    int k = limits.substripes().code().k();
    if (replicas.size() != k) {
      throw new IllegalArgumentException(
          "replicas of %d data blocks for %s, needed are %d"
              .formatted(replicas.size(), limits.substripes().code().name(), k));
    }
    Topology topology = eligible.topology();
    List<int[]> present = eligible.among(replicas);
    int[] order = inOrder(limits);
    for (int given = 0; given <= k; given++) {
      for (int attempt = 0; attempt < TRIES; attempt++) {
        SubstripeFlowMatching matching = SubstripeFlowMatching.of(topology, present, limits, order);
        List<Integer> kept = new ArrayList<>();
        IntStream.range(0, k).filter(b -> matching.nodeOf(b) >= 0).forEach(kept::add);
        if (kept.size() == k || given > 0 || attempt >= TRIES / 2) {
          RandomChoice.shuffle(kept, random);
          List<Integer> dropped = kept.subList(0, Math.min(given, kept.size()));
          Optional<int[]> nodes = complete(eligible, matching, k, limits, dropped, random);
          if (nodes.isPresent()) {
            return split(nodes.get(), present);
          }
        }
        order = shuffled(order, random);
      }
    }
    throw refusal(limits, eligible);
  }

  private static EncodedStripe split(int[] nodes, List<int[]> replicas) {
    int k = replicas.size();
    List<Integer> relocated = new ArrayList<>();
    for (int block = 0; block < k; block++) {
      int node = nodes[block];
      if (Arrays.stream(replicas.get(block)).noneMatch(n -> n == node)) {
        relocated.add(block);
      }
    }
    return EncodedStripe.of(nodes, k, relocated);
  }

  private static PlacementException refusal(SubstripeLimits limits, EligibleNodes eligible) {
    int n = limits.substripes().code().n();
    return new PlacementException(
        "places",
        n,
        eligible.size(),
        ("%s needs places for the %d blocks of a stripe with %s, so that any %d racks may fail; none were"
                + " found on the %d eligible nodes in %d racks: add racks or let fewer racks fail")
            .formatted(
                limits.substripes().code().name(),
                n,
                limits.text(),
                limits.rackFailures(),
                eligible.size(),
                eligible.racks()));
  }

  private static int[] shuffled(int[] order, RandomGenerator random) {
    List<Integer> list = new ArrayList<>(Arrays.stream(order).boxed().toList());
    RandomChoice.shuffle(list, random);
    return list.stream().mapToInt(i -> i).toArray();
  }
}
