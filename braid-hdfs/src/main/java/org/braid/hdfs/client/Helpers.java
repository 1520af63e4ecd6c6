package org.braid.hdfs.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.net.NetUtils;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalFirst;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.hdfs.client.Workers.Worker;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.jspecify.annotations.Nullable;

/**
 * Who can help to rebuild a block.
 *
 * @param workerOf by position in the stripe, the worker that holds the block and answers
 * @param unreachable by position, why the block cannot be read
 * @param order positions that can be read, virtual blocks of zeros first, then the client's rack,
 *     then rack by rack, those with many helpers first
 */
record Helpers(
    Map<Integer, Worker> workerOf, Map<Integer, String> unreachable, List<Integer> order) {

  /**
   * Looks for helpers.
   *
   * @param nodes the DataNodes by UUID
   * @param leftOut nodes that failed before, by UUID, and why
   */
  static Helpers of(
      Stripe stripe, Map<String, DatanodeProto> nodes, Workers workers, Map<String, String> leftOut)
      throws IOException {
    Map<String, DatanodeProto> asked = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      for (String uuid : i == stripe.lost() ? List.<String>of() : stripe.replicas(i)) {
        DatanodeProto node = nodes.get(uuid);
        if (node != null && !node.getSuspect() && !leftOut.containsKey(uuid)) {
          asked.put(uuid, node);
        }
      }
    }
    Workers.Answers answers = workers.reach(asked.values());
    Map<Integer, Worker> workerOf = new HashMap<>();
    Map<Integer, String> unreachable = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i == stripe.lost() || stripe.virtual(i)) {
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
    return new Helpers(workerOf, unreachable, order(stripe, workerOf, nodes));
  }

  private static String why(
      String uuid,
      @Nullable DatanodeProto node,
      Map<String, String> leftOut,
      Workers.Answers answers) {
    if (node == null) {
      return "node " + uuid + " is not registered";
    }
    if (node.getSuspect()) {
      return "on " + node.getHost() + ": silent, suspect";
    }
    String reason = leftOut.get(uuid);
    if (reason == null) {
      reason = answers.unreached().getOrDefault(uuid, "no answer");
    }
    return "on " + node.getHost() + ": " + reason;
  }

  private static List<Integer> order(
      Stripe stripe, Map<Integer, Worker> workerOf, Map<String, DatanodeProto> nodes) {
    Map<String, Integer> helpersIn = new HashMap<>();
    workerOf.values().forEach(w -> helpersIn.merge(w.node().getRack(), 1, Integer::sum));
    // Several racks at this address are a test's: then none is nearer.
    Set<String> here = new HashSet<>();
    nodes.values().stream()
        .filter(node -> isLocal(node.getIp()))
        .forEach(node -> here.add(node.getRack()));
    String own = here.size() == 1 ? here.iterator().next() : "";
    Comparator<Integer> byRack =
        Comparator.comparing((Integer i) -> !rack(workerOf, i).equals(own))
            .thenComparing(i -> -helpersIn.getOrDefault(rack(workerOf, i), 0))
            .thenComparing(i -> rack(workerOf, i))
            .thenComparing(i -> i);
    List<Integer> order = new ArrayList<>(workerOf.keySet());
    order.sort(byRack);
    for (int i = stripe.code().n() - 1; i >= 0; i--) {
      if (i != stripe.lost() && stripe.virtual(i)) {
        order.add(0, i);
      }
    }
    return order;
  }

  private static boolean isLocal(String ip) {
    try {
      return NetUtils.isLocalAddress(InetAddress.getByName(ip));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String rack(Map<Integer, Worker> workerOf, int position) {
    Worker worker = workerOf.get(position);
    return worker == null ? "" : worker.node().getRack();
  }

  /**
   * Sub-blocks of the lost block as sums over helpers, those nearest to the client last, as chains
   * end with the last; of the ways that the code names and the nearest blocks the one that reads
   * least. Empty when the helpers do not determine them.
   */
  Optional<List<Equation>> equations(Stripe stripe, List<SubBlock> wanted) {
    ErasureCode code = stripe.code();
    List<SubBlock> near =
        Solver.subBlocks(code, LocalFirst.order(code, List.of(stripe.lost()), order));
    List<List<SubBlock>> sources = new ArrayList<>(List.of(near));
    for (List<SubBlock> set : code.repairSets(Set.of(stripe.lost()))) {
      if (near.containsAll(set)) {
        sources.add(near.stream().filter(set::contains).toList());
      }
    }
    return sources.stream()
        .flatMap(set -> Solver.solveSubBlocks(code, wanted, set).stream())
        .min(Comparator.comparingLong(equations -> reads(stripe, equations)))
        .map(equations -> equations.stream().map(Helpers::nearestLast).toList());
  }

  /** Sub-blocks that helpers read for some equations. */
  private static long reads(Stripe stripe, List<Equation> equations) {
    return equations.stream()
        .flatMap(equation -> equation.terms().stream())
        .map(Term::source)
        .filter(source -> !stripe.virtual(source.block()))
        .distinct()
        .count();
  }

  private static Equation nearestLast(Equation equation) {
    List<Term> terms = new ArrayList<>(equation.terms());
    Collections.reverse(terms);
    return new Equation(equation.target(), terms);
  }
}
