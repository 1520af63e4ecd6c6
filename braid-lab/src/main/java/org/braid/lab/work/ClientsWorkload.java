package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** Concurrent clients that read or write whole files: replicated, striped by HDFS, or converted. */
final class ClientsWorkload extends LabWorkload {
  private static final String DATA = "/clients";
  private static final String REPLICATION = "replication";
  private static final String STRIPED = "hdfs-ec";
  private static final String BRAID = "braid";
  private static final double WHOLE_SECONDS = 60;

  @Override
  public String name() {
    return "clients";
  }

  @Override
  public String description() {
    return "one or many clients write or read a file each, or read the same one: replicated,"
        + " striped by HDFS, or replicated and converted by Braid";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("layout", BRAID);
    own.put("work", "read");
    own.put("at-once", "1");
    own.put("same-file", "false");
    own.put("file", "48m");
    own.put("block", "8m");
    own.put("code", "rs-6-3");
    own.put("policy", "RS-6-3-1024k");
    own.put("read-ahead", "6");
    own.put("read-ahead-after", "4m");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.more("client_rate", "MiB/s"),
        Measure.less("client_rate_deviation", "MiB/s"),
        Measure.more("total_rate", "MiB/s"),
        Measure.less("seconds", "s"));
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    String layout = TrialLab.choice(settings, "layout", BRAID, STRIPED, REPLICATION);
    boolean reads = TrialLab.choice(settings, "work", "read", "write").equals("read");
    int clients = settings.integer("at-once", 1);
    String directory = DATA + "/" + layout;
    lab.loader().call(new Command.Delete(directory));
    // Files for Braid are written replicated and converted later.
    lab.loader()
        .call(
            new Command.MakeDirectory(
                directory,
                layout.equals(BRAID) ? settings.text("code") : "",
                layout.equals(STRIPED) ? settings.text("policy") : ""));
    List<LabClient> drivers = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      drivers.add(lab.client(i));
    }
    try {
      List<Command> commands = reads ? reads(lab, trial, directory) : writes(trial, directory);
      return at(lab, trial, drivers, commands);
    } finally {
      lab.unlimit();
      lab.loader().call(new Command.Delete(directory));
    }
  }

  private static List<Command> writes(Trial trial, String directory) throws ExperimentException {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < trial.settings().integer("at-once", 1); i++) {
      commands.add(
          new Command.Write(
              directory + "/" + i,
              1,
              trial.settings().size("file"),
              3,
              trial.settings().size("block"),
              1,
              trial.seed() + i));
    }
    return commands;
  }

  private static List<Command> reads(TrialLab lab, Trial trial, String directory)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    int clients = settings.integer("at-once", 1);
    int files = settings.flag("same-file") ? 1 : clients;
    String path = directory + "/f";
    lab.loader()
        .call(
            new Command.Write(
                path, files, settings.size("file"), 3, settings.size("block"), 4, trial.seed()),
            Answer.Written.class);
    lab.loader().call(new Command.AwaitWhole(directory, WHOLE_SECONDS, false), Answer.Whole.class);
    boolean braid = settings.text("layout").equals(BRAID);
    if (braid) {
      lab.converted(
          new Command.Convert(
              List.of(directory),
              settings.text("code"),
              Command.Placement.USUAL,
              ConvertedFiles.IN_ORDER,
              4,
              256 << 10,
              trial.seed()));
    }
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      commands.add(
          new Command.Read(
              files == 1 ? path : path + "/" + i,
              braid ? Command.Client.BRAID : Command.Client.PLAIN,
              braid
                  ? Map.of(
                      "braid.client.read-ahead.blocks",
                      settings.text("read-ahead"),
                      "braid.client.read-ahead.after",
                      Long.toString(settings.size("read-ahead-after")))
                  : Map.of(),
              0,
              0,
              false));
    }
    return commands;
  }

  private static Outcome at(
      TrialLab lab, Trial trial, List<LabClient> drivers, List<Command> commands)
      throws ExperimentException, InterruptedException {
    double bytes = trial.settings().size("file");
    lab.limit(trial.settings());
    Meter meter = lab.meter();
    long begun = System.nanoTime();
    List<LabClient.Pending<? extends Answer>> pending = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      Class<? extends Answer> type =
          commands.get(i) instanceof Command.Read ? Answer.RangeRead.class : Answer.Written.class;
      pending.add(drivers.get(i).send(commands.get(i), type));
    }
    List<Double> rates = new ArrayList<>();
    for (LabClient.Pending<? extends Answer> one : pending) {
      Answer answer = one.await().answer();
      rates.add(
          mib(bytes)
              / (answer instanceof Answer.RangeRead read
                  ? read.seconds()
                  : ((Answer.Written) answer).seconds()));
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    Meter.Use use = meter.stop();
    double mean = rates.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    double variance =
        rates.stream().mapToDouble(rate -> (rate - mean) * (rate - mean)).average().orElse(0);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("client_rate", mean);
    figures.put("client_rate_deviation", Math.sqrt(variance));
    figures.put("total_rate", mib(bytes) * commands.size() / seconds);
    figures.put("seconds", seconds);
    return new Outcome(figures, use);
  }
}
