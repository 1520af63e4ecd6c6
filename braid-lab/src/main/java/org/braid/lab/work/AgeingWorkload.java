package org.braid.lab.work;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.braid.lab.ProgramResult;

/** Files grow old, and daemons convert them by a policy; the one that works may be killed. */
final class AgeingWorkload extends LabWorkload {
  private static final String DATA = "/ageing";
  private static final String OLD = DATA + "/logs";
  private static final String OTHER = DATA + "/other";
  private static final String POLICY = "ageing";
  private static final String HEAP = "256m";
  private static final int PARALLEL_WRITES = 8;
  private static final int REPLICAS = 3;
  private static final int DAEMONS = 2;
  private static final int MOST_SECONDS = 900;
  private static final long LOOK_MILLIS = 500;

  @Override
  public String name() {
    return "ageing";
  }

  @Override
  public String description() {
    return "small files grow old enough for a policy, by which one of two daemons converts them;"
        + " the one that works may be killed in the midst";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("code", "rs-3-2");
    own.put("block", "64k");
    // Half of them have as many blocks as a stripe, half have one.
    own.put("files", "1000");
    // Files that no policy takes.
    own.put("others", "100");
    own.put("older-than", "30s");
    own.put("policy-interval", "5");
    // Whether the daemon that works is killed once this part is converted.
    own.put("kill", "true");
    own.put("kill-at", "0.3");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.less("seconds", "s"),
        Measure.less("takeover", "s"),
        Measure.plain("converted", "files"),
        Measure.plain("converted_at_kill", "files"),
        Measure.plain("others_converted", "files"),
        Measure.plain("stripes", "stripes"),
        Measure.less("problems", "findings"),
        Measure.less("unequal", "files"));
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    settings.integer("files", 2);
    settings.integer("others", 0);
    settings.integer("policy-interval", 1);
    settings.flag("kill");
    settings.number("kill-at", 0);
    if (settings.integer("clients", 0) < DAEMONS) {
      throw settings.wrong("clients", "each of %d daemons runs on one".formatted(DAEMONS));
    }
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    lab.loader().call(new Command.Delete(DATA));
    Map<String, Long> written = write(lab, trial);
    lab.limit(trial.settings());
    Meter.Use use;
    Map<String, Process> daemons = new LinkedHashMap<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    try {
      Meter meter = lab.meter();
      braid(
          lab,
          List.of("policy", "add", "convert", POLICY, "--path", OLD + "/**"),
          List.of(
              "--older-than",
              trial.settings().text("older-than"),
              "--code",
              trial.settings().text("code")));
      for (String host : lab.lab().clients().subList(0, DAEMONS)) {
        daemons.put(host, daemon(lab, trial, host));
      }
      figures.putAll(await(lab, trial, daemons));
      use = meter.stop();
    } finally {
      for (Process daemon : daemons.values()) {
        daemon.descendants().forEach(ProcessHandle::destroyForcibly);
        daemon.waitFor();
      }
      lab.unlimit();
      braid(lab, List.of("policy", "remove", POLICY), List.of());
    }
    figures.putAll(compare(lab, written));
    lab.loader().call(new Command.Delete(DATA));
    return new Outcome(figures, use);
  }

  /** The CRC-32C of all files, by path. */
  private static Map<String, Long> write(TrialLab lab, Trial trial)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    long block = settings.size("block");
    int whole = settings.integer("files", 1) / 2;
    int single = settings.integer("files", 1) - whole;
    int others = settings.integer("others", 0);
    int k = settings.as("code", Codes::named).k();
    Map<String, Long> written = new LinkedHashMap<>();
    for (Command.Write command :
        List.of(
            files(OTHER, others, k * block, block, trial.seed()),
            files(OLD + "/whole", whole, k * block, block, trial.seed() + whole),
            files(OLD + "/single", single, block, block, trial.seed() + 2L * whole))) {
      if (command.files() > 0) {
        lab.loader()
            .call(command, Answer.Written.class)
            .files()
            .forEach(file -> written.put(file.path(), file.crc32c()));
      }
    }
    return written;
  }

  private static Command.Write files(String path, int files, long bytes, long block, long seed) {
    return new Command.Write(path, files, bytes, REPLICAS, block, PARALLEL_WRITES, seed);
  }

  private static Process daemon(TrialLab lab, Trial trial, String host) throws ExperimentException {
    List<String> words = words(lab, "daemon");
    words.addAll(List.of("--policy-interval", trial.settings().text("policy-interval")));
    try {
      return lab.lab()
          .java(host, HEAP, words)
          .redirectErrorStream(true)
          .redirectOutput(
              ProcessBuilder.Redirect.appendTo(
                  lab.lab().logs().resolve("daemon-" + host + ".log").toFile()))
          .start();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot start a daemon: " + e.getMessage(), e);
    }
  }

  /** A command of Braid as an operator gives it, up to its own options. */
  private static List<String> words(TrialLab lab, String... command) {
    List<String> words = new ArrayList<>(List.of("org.braid.cli.Main"));
    words.addAll(List.of(command));
    words.addAll(List.of("-conf", lab.lab().configuration().toString(), "-fs", lab.lab().uri()));
    return words;
  }

  /** Gives a command as an operator does, and returns what it prints. */
  private static String braid(TrialLab lab, List<String> command, List<String> options)
      throws ExperimentException, InterruptedException {
    List<String> words = words(lab, command.toArray(String[]::new));
    words.addAll(options);
    try {
      ProgramResult ran = ProgramResult.of(lab.lab().java(lab.loader().host(), HEAP, words));
      if (ran.status() != 0) {
        throw ExperimentException.failed(
            "braid %s: %s".formatted(String.join(" ", command), ran.line()));
      }
      return ran.out();
    } catch (IOException e) {
      throw ExperimentException.failed(
          "braid %s: %s".formatted(String.join(" ", command), e.getMessage()), e);
    }
  }

  /** Waits until all files are converted; kills the daemon that works on the way. */
  private static Map<String, Double> await(TrialLab lab, Trial trial, Map<String, Process> daemons)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    int files = settings.integer("files", 1);
    double killAt = settings.flag("kill") ? settings.number("kill-at", 0) * files : files;
    long begun = System.nanoTime();
    long killed = 0;
    int before = 0;
    Map<String, Double> figures = new LinkedHashMap<>();
    while (true) {
      int converted = converted(lab, OLD);
      if (killed != 0 && converted > before && !figures.containsKey("takeover")) {
        figures.put("takeover", seconds(killed));
      }
      if (converted >= files) {
        figures.put("seconds", seconds(begun));
        return figures;
      }
      if (killed == 0 && converted >= killAt) {
        kill(holder(lab), daemons);
        killed = System.nanoTime();
        before = converted(lab, OLD);
        figures.put("converted_at_kill", (double) before);
      }
      if (seconds(begun) > MOST_SECONDS) {
        throw ExperimentException.trial(
            "%d of %d files are converted after %d s".formatted(converted, files, MOST_SECONDS));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static int converted(TrialLab lab, String path)
      throws ExperimentException, InterruptedException {
    return lab.loader().call(new Command.CountConverted(path), Answer.Counted.class).converted();
  }

  /** The holder of the lease, from {@code braid status}. */
  private static String holder(TrialLab lab) throws ExperimentException, InterruptedException {
    String status = braid(lab, List.of("status"), List.of("--json"));
    try {
      JsonNode holder = LabDriver.JSON.readTree(status).path("coordination").path("coordinator");
      return holder.asText();
    } catch (IOException e) {
      throw ExperimentException.failed("braid status prints no JSON: " + status, e);
    }
  }

  private static void kill(String holder, Map<String, Process> daemons)
      throws ExperimentException, InterruptedException {
    for (Map.Entry<String, Process> daemon : daemons.entrySet()) {
      if (holder.matches(".*\\b" + daemon.getKey() + "\\b.*")) {
        daemon.getValue().descendants().forEach(ProcessHandle::destroyForcibly);
        daemon.getValue().waitFor();
        return;
      }
    }
    throw ExperimentException.trial(
        "none of the daemons on %s works, but \"%s\"".formatted(daemons.keySet(), holder));
  }

  /** Reads all files and checks their content. */
  private static Map<String, Double> compare(TrialLab lab, Map<String, Long> written)
      throws ExperimentException, InterruptedException {
    LabClient loader = lab.loader();
    int unequal = 0;
    for (Map.Entry<String, Long> file : written.entrySet()) {
      Command.Read read =
          new Command.Read(file.getKey(), Command.Client.PLAIN, Map.of(), 0, 0, false);
      if (loader.call(read, Answer.RangeRead.class).crc32c() != file.getValue()) {
        unequal++;
      }
    }
    Answer.Audited audited = loader.call(new Command.Audit(DATA), Answer.Audited.class);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("converted", (double) converted(lab, OLD));
    figures.put("others_converted", (double) converted(lab, OTHER));
    figures.put("stripes", (double) audited.stripes());
    figures.put("problems", (double) audited.problems().size());
    figures.put("unequal", (double) unequal);
    return figures;
  }
}
