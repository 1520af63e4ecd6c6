package org.braid.hdfs.coordinator.throttle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PaceResponseProto;
import org.braid.hdfs.proto.BraidProtos.RunPaceProto;
import org.braid.hdfs.stripe.Datanode;

/** Sends the rates of runs to the workers of DataNodes, one call a worker for all its runs. */
public final class WorkerPacer implements Pacer {
  private static final long ANSWER_MILLIS = 1000;

  private final Workers workers;

  /** Creates a pacer that uses the calls of the workers. */
  public WorkerPacer(Workers workers) {
    this.workers = workers;
  }

  @Override
  public List<Long> tell(Map<Grant, Double> rates, Readers heard) {
    Map<String, Datanode> nodes = new LinkedHashMap<>();
    Map<String, PaceRequestProto.Builder> requests = new HashMap<>();
    rates.forEach(
        (grant, rate) -> {
          Grant.Run run = grant.run();
          if (run != null) {
            RunPaceProto.Builder pace = RunPaceProto.newBuilder().setRun(run.name());
            if (!Double.isInfinite(rate)) {
              pace.setBytesPerSecond((long) Math.floor(rate));
            }
            for (Datanode node : run.nodes()) {
              nodes.put(node.uuid(), node);
              requests
                  .computeIfAbsent(node.uuid(), x -> PaceRequestProto.newBuilder())
                  .addRuns(pace);
            }
          }
        });
    Map<String, CompletableFuture<PaceResponseProto>> answers = new LinkedHashMap<>();
    requests.forEach(
        (uuid, request) -> {
          Datanode node = nodes.get(uuid);
          if (node != null) {
            answers.put(uuid, workers.start(() -> workers.pace(node, request.build())));
          }
        });
    Set<String> answered = answered(answers, heard);
    List<Long> told = new ArrayList<>();
    for (Grant grant : rates.keySet()) {
      Grant.Run run = grant.run();
      if (run == null || run.nodes().stream().allMatch(node -> answered.contains(node.uuid()))) {
        told.add(grant.number());
      }
    }
    return told;
  }

  private static Set<String> answered(
      Map<String, CompletableFuture<PaceResponseProto>> answers, Readers heard) {
    Set<String> answered = new HashSet<>();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
    for (Map.Entry<String, CompletableFuture<PaceResponseProto>> entry : answers.entrySet()) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        PaceResponseProto answer = entry.getValue().get(left, TimeUnit.NANOSECONDS);
        answered.add(entry.getKey());
        if (answer.hasPackets()) {
          heard.at(entry.getKey(), answer.getPackets(), answer.getPacketNanos());
        }
      } catch (ExecutionException | TimeoutException e) {
        // The run hears of a node that is gone; one that is late is told again.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return answered;
      }
    }
    return answered;
  }
}
