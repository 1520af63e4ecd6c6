package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** Clients that read and write during a measurement, and their latencies. */
final class ForegroundLoad {
  private static final String READS = "reads";
  private static final String WRITES = "writes";
  private static final String WRITTEN = "/foreground";
  private static final int THREADS = 32;
  private static final double P95 = 0.95;

  private final Map<String, LabClient> clients = new LinkedHashMap<>();
  private final Map<String, Double> since = new LinkedHashMap<>();
  private final Map<String, Answer.Load> loads = new LinkedHashMap<>();

  private ForegroundLoad() {}

  /**
   * Starts the load of a trial's settings and waits for the time {@code lead}; later requests count
   * as concurrent.
   *
   * @param files the files to read
   */
  static ForegroundLoad start(TrialLab lab, Trial trial, String files)
      throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ForegroundLoad foreground = new ForegroundLoad();
    lab.loader().call(new Command.Delete(WRITTEN));
    long request = settings.size("request");
    for (String name : List.of(READS, WRITES)) {
      double rate = settings.flag("foreground") ? settings.number(name, 0) : 0;
      if (rate > 0) {
        boolean reads = name.equals(READS);
        // The first client copies: take another one.
        LabClient client = lab.client(reads ? -1 + lab.lab().clients().size() : 1);
        client.call(
            new Command.StartLoad(
                name,
                reads ? Command.Work.READ : Command.Work.WRITE,
                reads ? files : WRITTEN,
                request,
                settings.integer("replication", 1),
                0,
                rate,
                THREADS,
                false,
                Command.Client.PLAIN,
                Map.of(),
                trial.seed()));
        foreground.clients.put(name, client);
      }
    }
    if (!foreground.clients.isEmpty()) {
      Thread.sleep(Math.round(1000 * settings.number("lead", 0)));
    }
    for (Map.Entry<String, LabClient> entry : foreground.clients.entrySet()) {
      foreground.since.put(entry.getKey(), entry.getValue().now());
    }
    return foreground;
  }

  /** Stops the load. */
  void stop() throws ExperimentException, InterruptedException {
    Map<String, LabClient.Pending<Answer.Load>> pending = new LinkedHashMap<>();
    clients.forEach(
        (name, client) ->
            pending.put(name, client.send(new Command.StopLoad(name), Answer.Load.class)));
    for (Map.Entry<String, LabClient.Pending<Answer.Load>> entry : pending.entrySet()) {
      loads.put(entry.getKey(), entry.getValue().await().answer());
    }
  }

  /** Latencies of requests in milliseconds, after {@link #stop}. */
  Map<String, Double> figures() throws ExperimentException {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Map.Entry<String, Answer.Load> entry : loads.entrySet()) {
      Answer.Load load = entry.getValue();
      String word = entry.getKey().equals(READS) ? "read" : "write";
      if (!load.failures().isEmpty()) {
        throw ExperimentException.trial(
            "%d foreground %ss failed: %s"
                .formatted(load.failures().size(), word, load.failures().get(0)));
      }
      double start = since.getOrDefault(entry.getKey(), 0.0);
      double[] before = millis(load, 0, start);
      double[] meanwhile = millis(load, start, Double.POSITIVE_INFINITY);
      if (meanwhile.length > 0) {
        figures.put(word + "_ms", mean(meanwhile));
        figures.put(word + "_p95_ms", meanwhile[(int) Math.ceil(P95 * meanwhile.length) - 1]);
      }
      if (before.length > 0) {
        figures.put(word + "_before_ms", mean(before));
      }
    }
    return figures;
  }

  private static double[] millis(Answer.Load load, double from, double to) {
    return load.requests().stream()
        .filter(request -> request.at() >= from && request.at() < to)
        .mapToDouble(request -> 1000 * request.seconds())
        .sorted()
        .toArray();
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
