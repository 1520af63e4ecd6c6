package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/**
 * Clients that read and write before, during and after work in the background, and their latencies.
 * Before and after together are called quiet.
 */
final class ForegroundLoad implements AutoCloseable {
  /** The settings of the load. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          // Requests a second of other clients, and whether there are any.
          "reads", "0",
          "writes", "0",
          "foreground", "true",
          "request", "1m",
          // What they read: the files of the trial, or others that stay replicated.
          "reads-of", "same",
          // Seconds before and after the work, and how many of those before are not counted.
          "lead", "0",
          "warm", "0",
          "tail", "0");

  /** The latencies of requests, by their names. */
  private static final List<Measure> MEASURES =
      List.of(
          Measure.less("read_ms", "ms"),
          Measure.less("read_p95_ms", "ms"),
          Measure.less("read_p99_ms", "ms"),
          Measure.plain("read_before_ms", "ms"),
          Measure.plain("read_quiet_ms", "ms"),
          Measure.plain("read_quiet_p99_ms", "ms"),
          Measure.less("write_ms", "ms"),
          Measure.less("write_p95_ms", "ms"),
          Measure.less("write_p99_ms", "ms"),
          Measure.plain("write_before_ms", "ms"),
          Measure.plain("write_quiet_ms", "ms"),
          Measure.plain("write_quiet_p99_ms", "ms"));

  private static final String READS = "reads";
  private static final String WRITES = "writes";
  private static final String WRITTEN = "/foreground";
  private static final String OTHERS = "/others";
  private static final int OTHER_FILES = 12;
  private static final int OTHER_REQUESTS = 8;
  private static final double WHOLE_SECONDS = 60;
  private static final int THREADS = 32;
  private static final double P95 = 0.95;
  private static final double P99 = 0.99;

  private final WorkloadSettings settings;
  private final Map<String, LabClient> clients = new LinkedHashMap<>();
  private final Map<String, Answer.Load> loads = new LinkedHashMap<>();

  /** By client, how far its clock is ahead of this host's. */
  private final Map<String, Double> ahead = new LinkedHashMap<>();

  /** When what is counted begins, the work begins, the work ends; by {@link #now}. */
  private double counted;

  private double begun;
  private double ended = Double.POSITIVE_INFINITY;

  private ForegroundLoad(WorkloadSettings settings) {
    this.settings = settings;
  }

  /** Measures of the work and of the concurrent clients. */
  static List<Measure> beside(List<Measure> work) {
    List<Measure> all = new ArrayList<>(work);
    all.addAll(MEASURES);
    return all;
  }

  /** Refuses invalid settings. */
  static void check(WorkloadSettings settings) throws ExperimentException {
    settings.number(READS, 0);
    settings.number(WRITES, 0);
    settings.flag("foreground");
    settings.size("request");
    TrialLab.choice(settings, "reads-of", "same", "others");
    settings.number("tail", 0);
    if (settings.number("warm", 0) > settings.number("lead", 0)) {
      throw settings.wrong("warm", "more than lead, of which it is a part");
    }
  }

  /** Seconds on this process's clock. */
  static double now() {
    return System.nanoTime() / 1e9;
  }

  /**
   * Starts the load of a trial's settings and waits for the time {@code lead}; later requests count
   * as concurrent.
   *
   * @param files the files of the trial
   */
  static ForegroundLoad start(TrialLab lab, Trial trial, String files)
      throws ExperimentException, InterruptedException {
    ForegroundLoad foreground = new ForegroundLoad(trial.settings());
    foreground.begin(lab, trial, files);
    return foreground;
  }

  /** Writes the files that other clients read, if they do, before links are limited. */
  static void prepare(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    if (settings.text("reads-of").equals("others")) {
      long request = settings.size("request");
      long block = settings.size("block");
      lab.once(
          OTHERS,
          () -> {
            LabClient loader = lab.loader();
            loader.call(
                new Command.Write(
                    OTHERS, OTHER_FILES, OTHER_REQUESTS * request, 3, block, 4, trial.seed()),
                Answer.Written.class);
            return loader.call(
                new Command.AwaitWhole(OTHERS, WHOLE_SECONDS, false), Answer.Whole.class);
          });
    }
  }

  private void begin(TrialLab lab, Trial trial, String files)
      throws ExperimentException, InterruptedException {
    lab.loader().call(new Command.Delete(WRITTEN));
    String read = settings.text("reads-of").equals("others") ? OTHERS : files;
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
                reads ? read : WRITTEN,
                settings.size("request"),
                settings.integer("replication", 1),
                0,
                rate,
                THREADS,
                false,
                Command.Client.PLAIN,
                Map.of(),
                trial.seed()));
        clients.put(name, client);
        ahead.put(name, client.now() - now());
      }
    }
    double lead = clients.isEmpty() ? 0 : settings.number("lead", 0);
    counted = now() + Math.min(lead, settings.number("warm", 0));
    Thread.sleep(Math.round(1000 * lead));
    begun = now();
  }

  /**
   * Says that the work is done, and waits for the time {@code tail}.
   *
   * @param from when it began, by {@link #now}
   * @param to when it ended
   */
  void worked(double from, double to) throws ExperimentException, InterruptedException {
    begun = from;
    ended = to;
    if (!clients.isEmpty()) {
      Thread.sleep(Math.round(1000 * settings.number("tail", 0)));
    }
  }

  /** The same of work that began with the end of {@code lead} and ends now. */
  void worked() throws ExperimentException, InterruptedException {
    worked(begun, now());
  }

  /** Stops the load. */
  @Override
  public void close() throws ExperimentException {
    Map<String, LabClient.Pending<Answer.Load>> pending = new LinkedHashMap<>();
    clients.forEach(
        (name, client) ->
            pending.put(name, client.send(new Command.StopLoad(name), Answer.Load.class)));
    clients.clear();
    try {
      for (Map.Entry<String, LabClient.Pending<Answer.Load>> entry : pending.entrySet()) {
        loads.put(entry.getKey(), entry.getValue().await().answer());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExperimentException.failed("interrupted while clients were stopped", e);
    }
  }

  /** Latencies of requests in milliseconds, after {@link #close}. */
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
      double offset = ahead.getOrDefault(entry.getKey(), 0.0);
      double[] meanwhile = millis(load, offset, at -> at >= begun && at < ended);
      double[] before = millis(load, offset, at -> at >= counted && at < begun);
      double[] quiet = millis(load, offset, at -> at >= counted && (at < begun || at >= ended));
      if (meanwhile.length > 0) {
        figures.put(word + "_ms", mean(meanwhile));
        figures.put(word + "_p95_ms", percentile(meanwhile, P95));
        figures.put(word + "_p99_ms", percentile(meanwhile, P99));
      }
      if (before.length > 0) {
        figures.put(word + "_before_ms", mean(before));
      }
      if (quiet.length > 0) {
        figures.put(word + "_quiet_ms", mean(quiet));
        figures.put(word + "_quiet_p99_ms", percentile(quiet, P99));
      }
    }
    return figures;
  }

  /** Latencies of the requests that were due at given times of our clock, in order of size. */
  private static double[] millis(Answer.Load load, double ahead, DoublePredicate due) {
    return load.requests().stream()
        .filter(request -> due.test(request.at() - ahead))
        .mapToDouble(request -> 1000 * request.seconds())
        .sorted()
        .toArray();
  }

  private static double percentile(double[] sorted, double share) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
