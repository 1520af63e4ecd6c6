package org.braid.hdfs.engine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.braid.engine.FragmentResult;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.plan.Link;

/**
 * The result of a run.
 *
 * @param outcomes by node, the result of its fragment
 * @param reads the CRC-32C of each block that workers read completely, with the zeros after a short
 *     one
 * @param stores the CRC-32C of each block stored
 */
public record HdfsResult(
    Map<Integer, FragmentResult> outcomes,
    Map<Integer, Integer> reads,
    Map<Integer, Integer> stores) {
  /**
   * Combines the answers of workers with the result of the fragment in this process.
   *
   * @param local by node; empty when all nodes are workers
   */
  static HdfsResult of(
      CellLayout layout,
      Map<Integer, ExecuteResponseProto> answers,
      Map<Integer, FragmentResult> local) {
    Map<Integer, Integer> reads = new HashMap<>();
    Map<Integer, Integer> stores = new HashMap<>();
    Map<Integer, FragmentResult> outcomes = new LinkedHashMap<>(local);
    for (FragmentResult here : local.values()) {
      if (layout.alpha() == 1) {
        here.storeCrcs().forEach((target, crc) -> stores.put(target.block(), crc));
      }
    }
    Map<Integer, Map<Integer, Long>> sent = new HashMap<>();
    answers.forEach((node, answer) -> sent.put(node, sent(answer)));
    answers.forEach(
        (node, answer) -> {
          reads.putAll(
              FragmentCodec.blockCrcs(layout, answer.getReadBlocksList(), answer.getReadsList()));
          stores.putAll(
              FragmentCodec.blockCrcs(
                  layout, answer.getStoredBlocksList(), answer.getStoresList()));
          outcomes.put(node, outcome(node, answer, sent));
        });
    return new HdfsResult(outcomes, reads, stores);
  }

  /**
   * The outcome of a node: workers report sent bytes, and received bytes are those that others sent
   * to it.
   */
  private static FragmentResult outcome(
      int node, ExecuteResponseProto answer, Map<Integer, Map<Integer, Long>> sent) {
    Map<Integer, Long> received = new HashMap<>();
    sent.forEach(
        (from, bytesTo) -> {
          Long bytes = bytesTo.get(node);
          if (bytes != null) {
            received.put(from, bytes);
          }
        });
    return new FragmentResult(
        FragmentCodec.crcs(answer.getReadsList()),
        FragmentCodec.crcs(answer.getStoresList()),
        sent.getOrDefault(node, Map.of()),
        received,
        answer.getCpuNanos(),
        answer.getReadNanos(),
        answer.getWaitNanos());
  }

  private static Map<Integer, Long> sent(ExecuteResponseProto answer) {
    Map<Integer, Long> sent = new HashMap<>();
    for (BytesProto some : answer.getSentList()) {
      sent.merge(some.getNode(), some.getBytes(), Long::sum);
    }
    return sent;
  }

  /** Payload bytes by link, counted by the senders. */
  public Map<Link, Long> links() {
    Map<Link, Long> links = new LinkedHashMap<>();
    outcomes.forEach(
        (from, outcome) ->
            outcome.sentBytes().forEach((to, bytes) -> links.put(new Link(from, to), bytes)));
    return links;
  }

  /** CPU time of the workers' threads. */
  public long cpuNanos() {
    return outcomes.values().stream().mapToLong(FragmentResult::cpuNanos).sum();
  }
}
