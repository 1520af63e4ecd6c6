package org.braid.hdfs.coordinator.session;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;

/**
 * The types of storage on which blocks of a stripe may be stored. As in HDFS, the fallbacks of a
 * storage policy are used only when too few nodes have room on the wanted type.
 */
public final class StorageNeed {
  private final List<StoragePolicy> policies;

  /** The allowed types, fallbacks included. */
  private final Set<String> types;

  private StorageNeed(Collection<StoragePolicy> policies, Set<String> types) {
    this.policies = List.copyOf(new LinkedHashSet<>(policies));
    this.types = types;
  }

  /** The need of blocks of files that are being converted, and of their parity. */
  public static StorageNeed ofNewBlocks(StoragePolicy policy) {
    return new StorageNeed(List.of(policy), policy.ofNewBlocks());
  }

  /**
   * The need of replicas of blocks of a stripe. If the policies of the stripe's files differ, a
   * type that any of them allows may be used, as workers use it.
   */
  public static StorageNeed of(StripeStatus stripe, Collection<Integer> positions) {
    List<StoragePolicy> policies =
        positions.stream().map(position -> stripe.member(position).storage()).toList();
    Set<String> types = new LinkedHashSet<>();
    policies.forEach(policy -> types.addAll(policy.ofReplicas()));
    positions.forEach(position -> types.addAll(stripe.typesOfReplicas(position)));
    return new StorageNeed(policies, types);
  }

  /**
   * Whether a node has room on the wanted type; for several policies, on the wanted type of each.
   */
  public boolean wants(Datanode node, long bytes) {
    return policies.stream().allMatch(policy -> node.remaining(policy.type()) >= bytes);
  }

  /** Whether a node has room on an allowed type of one of the policies. */
  public boolean takes(Datanode node, long bytes) {
    return types.stream().anyMatch(type -> node.remaining(type) >= bytes);
  }

  /** Finds places on nodes. */
  @FunctionalInterface
  public interface Placing<T> {
    /**
     * Finds places.
     *
     * @throws PlacementException when there are too few nodes
     */
    T on(EligibleNodes nodes);
  }

  /**
   * Finds places on nodes with the wanted storage type or, if these are too few, with a fallback.
   *
   * @param bytes of a block
   * @param passes further conditions on nodes
   * @throws PlacementException when there are too few nodes
   */
  public <T> T place(ClusterState state, long bytes, IntPredicate passes, Placing<T> placing) {
    try {
      return placing.on(wanted(state, bytes, passes));
    } catch (PlacementException e) {
      if (!addsNodes(state, bytes, passes)) {
        throw e;
      }
      return placing.on(taken(state, bytes, passes));
    }
  }

  /**
   * The nodes with the wanted storage type or, if there are no places on these, also those with a
   * fallback.
   *
   * @param bytes of a block
   * @param passes further conditions on nodes
   */
  public EligibleNodes nodes(
      ClusterState state, long bytes, IntPredicate passes, Placing<?> placing) {
    if (addsNodes(state, bytes, passes)) {
      try {
        var unused = placing.on(wanted(state, bytes, passes));
      } catch (PlacementException e) {
        return taken(state, bytes, passes);
      }
    }
    return wanted(state, bytes, passes);
  }

  /**
   * The nodes with the wanted storage type, even if they are too few.
   *
   * @param bytes of a block
   * @param passes further conditions on nodes
   */
  public EligibleNodes wanted(ClusterState state, long bytes, IntPredicate passes) {
    return state.eligible().only(node -> wants(state.node(node), bytes) && passes.test(node));
  }

  private EligibleNodes taken(ClusterState state, long bytes, IntPredicate passes) {
    return state.eligible().only(node -> takes(state.node(node), bytes) && passes.test(node));
  }

  /** Whether some nodes have only a fallback type. */
  private boolean addsNodes(ClusterState state, long bytes, IntPredicate passes) {
    return IntStream.range(0, state.nodes().size())
        .filter(node -> !wants(state.node(node), bytes) && takes(state.node(node), bytes))
        .anyMatch(node -> state.eligible(node) && passes.test(node));
  }

  /**
   * Those of some nodes with a replica of a block at which it may stay: those that have it on the
   * wanted type. If there are none, all of them: the Mover has yet to move the block to the wanted
   * type, within its node if possible.
   */
  public int[] staying(ClusterState state, BlockStatus block, int[] holders) {
    int[] wanted = asWanted(state, block, holders).toArray();
    return wanted.length == 0 ? holders : wanted;
  }

  /**
   * Those of some nodes that have a replica of a block on the wanted type, and so need no room to
   * keep it.
   */
  public Set<Integer> holders(ClusterState state, BlockStatus block, int[] nodes) {
    return asWanted(state, block, nodes).boxed().collect(Collectors.toSet());
  }

  private IntStream asWanted(ClusterState state, BlockStatus block, int[] nodes) {
    return Arrays.stream(nodes).filter(node -> isAsWanted(block, state.node(node).uuid()));
  }

  private boolean isAsWanted(BlockStatus block, String uuid) {
    for (Replica replica : block.replicas()) {
      if (replica.node().equals(uuid)
          && policies.stream().allMatch(policy -> policy.type().equals(replica.storage()))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Says how many nodes cannot take a block of some bytes for lack of storage, as the end of a
   * sentence; empty for none.
   */
  public String lack(ClusterState state, long bytes) {
    int[] all = state.eligible().nodes();
    int without = 0;
    int full = 0;
    for (int node : all) {
      Datanode known = state.node(node);
      if (types.stream().noneMatch(known::has)) {
        without++;
      } else if (!takes(known, bytes)) {
        full++;
      }
    }
    StringBuilder text = new StringBuilder();
    if (without > 0) {
      text.append(
          "; %d of the %d nodes that may get blocks %s no %s storage"
              .formatted(without, all.length, has(without), names()));
    }
    if (full > 0) {
      text.append(
          "; %d of the %d nodes that may get blocks %s no room%s for one of %d bytes"
              .formatted(full, all.length, has(full), isOrdinary() ? "" : " on " + names(), bytes));
    }
    return text.toString();
  }

  private boolean isOrdinary() {
    return policies.equals(List.of(StoragePolicy.HOT));
  }

  private String names() {
    return String.join(" or ", types);
  }

  private static String has(int nodes) {
    return nodes == 1 ? "has" : "have";
  }
}
