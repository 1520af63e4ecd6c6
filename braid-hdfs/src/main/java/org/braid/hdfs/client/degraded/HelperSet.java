package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.braid.code.SubBlock;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.stripe.Datanode;
import org.braid.plan.Plan;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The helpers that can rebuild a block.
 *
 * @param workerOf by position in the stripe, the worker that holds the block and answers
 * @param unreachable by position, the reason why the block cannot be read
 */
record HelperSet(Map<Integer, Worker> workerOf, Map<Integer, String> unreachable)
    implements HdfsJob.Nodes {
  private static final Logger LOG = LoggerFactory.getLogger(HelperSet.class);

  @Override
  public Optional<Worker> worker(int position) {
    return Optional.ofNullable(workerOf.get(position));
  }

  @Override
  public String name(int position) {
    Worker worker = workerOf.get(position);
    return worker == null ? "block " + position : worker.node().host();
  }

  /**
   * Finds the helpers.
   *
   * @param nodes the DataNodes by UUID
   * @param leftOut nodes that failed before, by UUID, with the reason
   * @param silent gets the nodes that were asked and do not answer
   */
  static HelperSet of(
      DegradedStripe stripe,
      Map<String, Datanode> nodes,
      Workers workers,
      Map<String, String> leftOut,
      Consumer<String> silent)
      throws IOException {
    Map<String, Datanode> asked = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      for (String uuid : i == stripe.lost() ? List.<String>of() : stripe.replicas(i)) {
        Datanode node = nodes.get(uuid);
        if (node != null && !leftOut.containsKey(uuid)) {
          asked.put(uuid, node);
        }
      }
    }
    Workers.Answers answers = workers.reach(asked.values());
    answers.unreached().keySet().forEach(silent);
    Map<Integer, Worker> workerOf = new HashMap<>();
    Map<Integer, String> unreachable = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i == stripe.lost() || stripe.stripe().isVirtual(i)) {
        continue;
      }
      List<String> replicas = stripe.replicas(i);
      Optional<Worker> worker =
          replicas.stream()
              .filter(uuid -> answers.reached().containsKey(uuid))
              .map(uuid -> answers.reached().get(uuid))
              .findFirst();
      if (worker.isPresent()) {
        workerOf.put(i, worker.get());
      } else if (replicas.isEmpty()) {
        unreachable.put(i, stripe.missing(i));
      } else {
        String uuid = replicas.get(0);
        unreachable.put(i, why(uuid, nodes.get(uuid), leftOut, answers));
      }
    }
    return new HelperSet(workerOf, unreachable);
  }

  /** The nodes whose replicas do not have the recorded CRC, by UUID, with what they read back. */
  Map<String, String> wrong(DegradedStripe stripe, Workers workers) {
    Map<String, String> wrong = new LinkedHashMap<>();
    nodes()
        .forEach(
            (position, node) -> {
              int expected = stripe.stripe().member(position).crc();
              try {
                int read = workers.check(node, stripe.block(position));
                if (read != expected) {
                  wrong.put(node.uuid(), DegradedReader.differs(read, expected));
                }
              } catch (IOException e) {
                LOG.warn("a helper cannot be checked: {}", e.getMessage());
              }
            });
    return wrong;
  }

  private static String why(
      String uuid, @Nullable Datanode node, Map<String, String> leftOut, Workers.Answers answers) {
    if (node == null) {
      return "node " + uuid + " is not registered";
    }
    String reason = leftOut.get(uuid);
    if (reason == null) {
      reason = answers.unreached().getOrDefault(uuid, "no answer");
    }
    return "on " + node.host() + ": " + reason;
  }

  /** Positions of the available blocks: those with a worker, and virtual blocks of zeros. */
  List<Integer> available(DegradedStripe stripe) {
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i != stripe.lost() && (workerOf.containsKey(i) || stripe.stripe().isVirtual(i))) {
        available.add(i);
      }
    }
    return available;
  }

  /** By position, the node that holds the block. */
  Map<Integer, Datanode> nodes() {
    Map<Integer, Datanode> nodes = new HashMap<>();
    workerOf.forEach((position, worker) -> nodes.put(position, worker.node()));
    return nodes;
  }

  /** The recent load of the worker at each position: each running fragment takes a share. */
  Map<Integer, Double> slowdowns() {
    Map<Integer, Double> slowdowns = new HashMap<>();
    workerOf.forEach(
        (position, worker) -> slowdowns.put(position, 1.0 + worker.answer().getRunning()));
    return slowdowns;
  }

  /** The set without some helpers. */
  HelperSet without(Map<Integer, String> positions) {
    Map<Integer, Worker> rest = new HashMap<>(workerOf);
    rest.keySet().removeAll(positions.keySet());
    Map<Integer, String> all = new LinkedHashMap<>(unreachable);
    all.putAll(positions);
    return new HelperSet(rest, all);
  }

  /**
   * The best plan for a part of the lost block; empty when the helpers do not determine it.
   *
   * @param surroundings where helpers and reader are
   */
  Optional<Plan> plan(
      DegradedStripe stripe,
      List<SubBlock> wanted,
      RepairPlanner planner,
      StripeNetwork surroundings) {
    return HelperChoice.ofPart(
            stripe.code(),
            wanted,
            available(stripe),
            i -> stripe.stripe().isVirtual(i) ? -1 : i,
            surroundings.client(),
            surroundings.network())
        .plan(planner);
  }
}
