package org.braid.hdfs.coordinator.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.rule.StripeRule;

/**
 * Which members of a stripe are available, and whether they are in places that its rule allows.
 *
 * @param available positions that can be read, zeros of short stripes among them
 * @param lost positions without a readable good replica
 * @param gone positions whose block was deleted or changed since encoding
 * @param strayed positions with one copy, away from home in an allowed place
 * @param misplaced positions whose one copy is in a place that breaks the stripe's rule, or on a
 *     node that leaves service, with the reason
 * @param nodeOf the node to read each position from, -1 where there is none
 * @param placeOf the node at which each position counts for the limits; for a block that is still
 *     replicated its home, as all other copies are dropped; -1 for none
 * @param homes names of the home nodes of lost blocks
 */
public record Members(
    List<Integer> available,
    List<Integer> lost,
    List<Integer> gone,
    List<Integer> strayed,
    Map<Integer, String> misplaced,
    int[] nodeOf,
    int[] placeOf,
    Set<String> homes) {
  private static final int MOST_HOMES = 20;
  private static final String UNKNOWN = "a node that the NameNode does not know";

  /**
   * Determines the members of a stripe.
   *
   * @param bad whether a replica at a node is known to be bad, also if the NameNode lists it as
   *     good
   */
  public static Members of(StripeStatus status, ClusterState state, BadReplicas bad) {
    Stripe stripe = status.stripe();
    List<Integer> available = new ArrayList<>();
    List<Integer> lost = new ArrayList<>();
    List<Integer> gone = new ArrayList<>();
    Set<String> homes = new TreeSet<>();
    int[] nodeOf = new int[stripe.members().size()];
    int[] placeOf = new int[nodeOf.length];
    int[] homeOf = new int[nodeOf.length];
    for (int i = 0; i < nodeOf.length; i++) {
      nodeOf[i] = -1;
      placeOf[i] = -1;
      homeOf[i] = state.indexOf(stripe.member(i).home()).orElse(-1);
      MemberStatus member = status.member(i);
      if (stripe.isVirtual(i)) {
        available.add(i);
      } else if (member.gone()) {
        gone.add(i);
      } else {
        nodeOf[i] = holder(homeOf[i], member.status(), state, bad);
        (nodeOf[i] < 0 ? lost : available).add(i);
        placeOf[i] = nodeOf[i];
        if (nodeOf[i] < 0) {
          homes.add(homeOf[i] < 0 ? UNKNOWN : state.name(homeOf[i]));
        }
        if (nodeOf[i] >= 0 && homeOf[i] >= 0 && member.status().expected() != 1) {
          placeOf[i] = homeOf[i];
        }
      }
    }
    StripeRule rule = stripe.rule(state.topology());
    List<Integer> claims = new ArrayList<>();
    List<Integer> away = new ArrayList<>();
    int[] seats = new int[placeOf.length];
    for (int i = 0; i < placeOf.length; i++) {
      boolean home =
          placeOf[i] >= 0 && placeOf[i] == homeOf[i] && !leaves(status, i, homeOf, state);
      seats[i] = home ? placeOf[i] : StripeRule.NOWHERE;
      if (placeOf[i] >= 0) {
        (home ? claims : away).add(i); // blocks at home have the first claim
      }
    }
    for (int i : away) {
      // Of several copies one that is in a place for it, if there is any.
      for (int node : holders(status.member(i).status(), state, bad)) {
        if (state.isInService(node) && rule.fits(state.topology(), seats, i, node)) {
          nodeOf[i] = node;
          placeOf[i] = node;
          break;
        }
      }
      seats[i] = placeOf[i];
    }
    claims.addAll(away);
    Map<Integer, String> misplaced = rule.breaches(state.topology(), placeOf, claims);
    misplaced.replaceAll(
        (i, breach) -> breach.replace(state.node(placeOf[i]).uuid(), state.name(placeOf[i])));
    // A later stripe says where its own blocks go.
    away.removeIf(i -> status.member(i).reencoded());
    misplaced.keySet().removeIf(i -> status.member(i).reencoded());
    for (int i : away) {
      if (leaves(status, i, placeOf, state)) {
        misplaced.putIfAbsent(
            i, "node " + state.name(placeOf[i]) + " with its copy is being taken out of service");
      }
    }
    List<Integer> strayed = away.stream().filter(i -> !misplaced.containsKey(i)).toList();
    return new Members(available, lost, gone, strayed, misplaced, nodeOf, placeOf, homes);
  }

  /** Names the nodes of the lost blocks, for operators who may bring them back. */
  public String whereLost() {
    List<String> shown = homes.stream().limit(MOST_HOMES).toList();
    int more = homes.size() - shown.size();
    return "the lost ones were on "
        + String.join(", ", shown)
        + (more == 0 ? "" : " and " + more + " more");
  }

  /** Positions of lost blocks that the available ones do not determine. */
  public List<Integer> beyond(ErasureCode code) {
    List<Integer> missing = new ArrayList<>(lost);
    missing.addAll(gone);
    return Solver.decodable(code, missing)
        ? List.of()
        : lost.stream().filter(i -> !determined(code, i)).toList();
  }

  /** Whether a block can be computed from the available ones. */
  public boolean determined(ErasureCode code, int position) {
    return Solver.solve(code, List.of(position), available).isPresent();
  }

  /** The same without some lost blocks, which are no longer wanted. */
  public Members without(List<Integer> given) {
    List<Integer> rest = lost.stream().filter(i -> !given.contains(i)).toList();
    return new Members(available, rest, gone, strayed, misplaced, nodeOf, placeOf, homes);
  }

  /** The same with lost blocks rebuilt at the given nodes. */
  public Members rebuilt(Map<Integer, Integer> places) {
    List<Integer> had = new ArrayList<>(available);
    int[] nodes = nodeOf.clone();
    int[] seats = placeOf.clone();
    places.forEach(
        (i, node) -> {
          had.add(i);
          nodes[i] = node;
          seats[i] = node;
        });
    List<Integer> rest = lost.stream().filter(i -> !places.containsKey(i)).toList();
    return new Members(
        had.stream().sorted().toList(), rest, gone, strayed, misplaced, nodes, seats, homes);
  }

  /**
   * Whether the one copy of a block is on a node that is decommissioned or in maintenance, or on
   * the way there.
   */
  private static boolean leaves(
      StripeStatus status, int position, int[] placeOf, ClusterState state) {
    return status.member(position).status().expected() == 1
        && !state.isInService(placeOf[position]);
  }

  /** Whether blocks are to be rebuilt or moved. */
  public boolean damaged() {
    return !lost.isEmpty() || !misplaced.isEmpty();
  }

  /** Positions that need a new place: first those to be rebuilt, then those to be moved. */
  public List<Integer> homeless() {
    List<Integer> homeless = new ArrayList<>(lost);
    homeless.addAll(misplaced.keySet());
    return homeless;
  }

  private static int holder(int home, BlockStatus status, ClusterState state, BadReplicas bad) {
    List<Integer> holders = holders(status, state, bad);
    return holders.isEmpty() ? -1 : holders.contains(home) ? home : holders.get(0);
  }

  private static List<Integer> holders(BlockStatus status, ClusterState state, BadReplicas bad) {
    return Arrays.stream(state.readable(status))
        .filter(node -> !bad.contains(status.block().id(), state.node(node).uuid()))
        .boxed()
        .toList();
  }

  /** Says how many blocks of a stripe are available, and how many are needed at least. */
  public static String supply(ErasureCode code, int available) {
    return "%d of the %d blocks of its stripe can be had, %d are needed%s"
        .formatted(
            available,
            code.n(),
            code.k(),
            available < code.k() ? "" : " that together determine the data");
  }
}
