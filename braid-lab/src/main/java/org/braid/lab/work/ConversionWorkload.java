package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.FlowGroup;

/** Turns replicated files into erasure coded ones: by Braid in place, or by copying. */
final class ConversionWorkload extends LabWorkload {
  private static final String DATA = "/conversion";
  private static final String TARGET = "/striped";
  private static final double WHOLE_SECONDS = 120;
  private static final int PARALLEL_WRITES = 6;

  private static final List<Measure> OWN_MEASURES =
      List.of(
          Measure.less("seconds", "s"),
          Measure.more("encoding_rate", "MiB/s"),
          Measure.less("encode_seconds", "s"),
          Measure.less("downloads", "blocks"),
          Measure.less("relocated", "blocks"),
          Measure.less("peak", "of the content"),
          Measure.less("stored", "of the content"),
          Measure.more("cap_use", "of the limit"),
          Measure.plain("seconds_foreseen", "s"),
          Measure.plain("saved_mib", "MiB"),
          Measure.plain("saved_mib_foreseen", "MiB"),
          Measure.plain("crossed_mib", "MiB"),
          Measure.plain("crossed_mib_foreseen", "MiB"));

  @Override
  public String name() {
    return "conversion";
  }

  @Override
  public String description() {
    return "turns replicated files into erasure coded ones, by Braid in place or by copying them"
        + " into HDFS's own erasure coding, while other clients read and write if so set";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("by", "braid");
    own.put("code", "rs-6-3");
    own.put("policy", "RS-6-3-1024k");
    own.put("block", "4m");
    own.put("stripes", "12");
    own.put("replication", "3");
    // How files are written: random, ear, or another policy of Braid's attribute.
    own.put("written", "ear");
    own.put("encoder", "core-rack");
    own.put("group", "auto");
    own.put("encode", "auto");
    own.put("homes", "even");
    // Most blocks of a stripe in a rack: a number, fewest, or most, as many as it has parities.
    own.put("per-rack", "fewest");
    own.put("parallel", "6");
    own.put("slice", "128k");
    own.put("copiers", "1");
    // Whether a dry run comes before, with which the conversion is compared.
    own.put("foresee", "false");
    own.putAll(TrialThrottle.DEFAULTS);
    own.putAll(ForegroundLoad.DEFAULTS);
    // What every second node sends the next one all the while; none: nothing.
    own.put("udp", "none");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return ForegroundLoad.beside(OWN_MEASURES);
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    ForegroundLoad.check(settings);
    TrialThrottle.check(settings);
    settings.flag("foresee");
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    boolean copies = TrialLab.choice(settings, "by", "braid", "copy").equals("copy");
    int copiers = Math.min(settings.integer("copiers", 1), settings.integer("stripes", 1));
    // Warm-up: first executions take longer.
    lab.once(
        "warm " + copies + settings.text("encoder"),
        () -> {
          clean(lab);
          write(lab, trial, copiers);
          if (copies) {
            return copy(lab, trial, copiers);
          }
          return figures(lab.converted(conversion(trial)), content(settings));
        });
    clean(lab);
    try {
      write(lab, trial, copiers);
      ForegroundLoad.prepare(lab, trial);
      lab.settledSpace(DATA);
      lab.limit(settings);
      Map<String, Double> figures = new LinkedHashMap<>();
      Meter.Use use;
      ForegroundLoad load;
      try (TrialThrottle throttle = TrialThrottle.set(lab, settings)) {
        if (settings.flag("foresee")) {
          figures.putAll(foreseen(lab, trial));
        }
        try (FlowGroup udp = lab.udp(settings);
            ForegroundLoad foreground = ForegroundLoad.start(lab, trial, DATA)) {
          load = foreground;
          Meter meter = lab.meter();
          figures.putAll(copies ? copy(lab, trial, copiers) : convert(lab, trial, throttle));
          use = meter.stop();
          foreground.worked();
        }
      }
      figures.putAll(load.figures());
      return new Outcome(figures, use);
    } finally {
      lab.unlimit();
      clean(lab);
    }
  }

  /** Deletes the files of a trial. */
  static void clean(TrialLab lab) throws ExperimentException, InterruptedException {
    lab.loader().call(new Command.Delete(DATA));
    lab.loader().call(new Command.Delete(TARGET));
  }

  private static ErasureCode code(WorkloadSettings settings) throws ExperimentException {
    return settings.as("code", Codes::named);
  }

  /** Bytes of all files. */
  private static double content(WorkloadSettings settings) throws ExperimentException {
    return settings.size("block") * (double) code(settings).k() * settings.integer("stripes", 1);
  }

  /** Writes one file for each stripe, in one directory for each copier. */
  static void write(TrialLab lab, Trial trial, int copiers)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ErasureCode code = code(settings);
    long block = settings.size("block");
    int stripes = settings.integer("stripes", 1);
    LabClient loader = lab.loader();
    loader.call(new Command.MakeDirectory(DATA, attribute(settings, code), ""));
    for (int i = 0; i < copiers; i++) {
      int files = stripes / copiers + (i < stripes % copiers ? 1 : 0);
      if (files > 0) {
        // A copier copies a directory, even for a single file.
        loader.call(
            new Command.Write(
                DATA + "/" + i + (files == 1 ? "/0" : ""),
                files,
                block * code.k(),
                settings.integer("replication", 1),
                block,
                PARALLEL_WRITES,
                trial.seed() + 1000L * i),
            Answer.Written.class);
      }
    }
    loader.call(new Command.AwaitWhole(DATA, WHOLE_SECONDS, false), Answer.Whole.class);
  }

  /** Braid's attribute of the directory of a trial's files. */
  static String attribute(WorkloadSettings settings) throws ExperimentException {
    return attribute(settings, code(settings));
  }

  private static String attribute(WorkloadSettings settings, ErasureCode code)
      throws ExperimentException {
    String written = settings.text("written");
    if (written.equals("random")) {
      return "";
    }
    int limit = perRack(settings, code);
    return code.name()
        + (limit == 0 ? "" : ",c=" + limit)
        + (written.equals("ear") ? "" : ",policy=" + written);
  }

  private static int perRack(WorkloadSettings settings, ErasureCode code)
      throws ExperimentException {
    return switch (settings.text("per-rack")) {
      case "fewest" -> 0;
      case "most" -> code.m();
      default -> settings.integer("per-rack", 1);
    };
  }

  /** The conversion of a trial's files. */
  static Command.Convert conversion(Trial trial) throws ExperimentException {
    WorkloadSettings settings = trial.settings();
    ErasureCode code = code(settings);
    return new Command.Convert(
        List.of(DATA),
        code.name(),
        Command.Placement.perRack(perRack(settings, code)),
        new ConvertRequest.Method(
            settings.constant("encoder", ConvertRequest.Encoder.class),
            settings.constant("group", ConvertRequest.Group.class),
            settings.constant("encode", ConvertRequest.Encode.class),
            settings.constant("homes", ConvertRequest.Homes.class)),
        settings.integer("parallel", 1),
        settings.sizeOfBuffer("slice"),
        trial.seed());
  }

  /** The report of a dry run. */
  private static Map<String, Double> foreseen(TrialLab lab, Trial trial)
      throws ExperimentException, InterruptedException {
    Answer.Foreseen foreseen =
        lab.loader().call(new Command.ForeseeConversion(conversion(trial)), Answer.Foreseen.class);
    return Map.of(
        "seconds_foreseen", foreseen.seconds(),
        "saved_mib_foreseen", mib(foreseen.savedBytes()),
        "crossed_mib_foreseen", mib(foreseen.crossRackBytes()));
  }

  private static Map<String, Double> convert(TrialLab lab, Trial trial, TrialThrottle throttle)
      throws ExperimentException, InterruptedException {
    Answer.Converted answer = lab.converted(conversion(trial));
    Map<String, Double> figures = figures(answer, content(trial.settings()));
    throttle
        .used(answer.encoding().plus(answer.relocation()), answer.seconds())
        .ifPresent(used -> figures.put("cap_use", used));
    return figures;
  }

  private static Map<String, Double> figures(Answer.Converted answer, double content) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", answer.seconds());
    figures.put("encoding_rate", mib(content) / answer.encodeSeconds());
    figures.put("encode_seconds", answer.encodeSeconds());
    figures.put("downloads", (double) answer.crossRackDataBlocks());
    figures.put("relocated", (double) answer.relocatedBlocks());
    figures.put("peak", answer.usedPeak() / content);
    figures.put("stored", answer.storedAfter() / content);
    figures.put("saved_mib", mib(answer.storedBefore() - answer.storedAfter()));
    figures.put(
        "crossed_mib",
        mib(answer.encoding().crossRackBytes() + answer.relocation().crossRackBytes()));
    return figures;
  }

  /**
   * Converts by copying: copies all files into a striped directory and replaces each original by
   * its copy.
   */
  private static Map<String, Double> copy(TrialLab lab, Trial trial, int copiers)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    lab.loader().call(new Command.MakeDirectory(TARGET, "", settings.text("policy")));
    List<LabClient.Pending<Answer.Copied>> pending = new ArrayList<>();
    int each = Math.max(1, settings.integer("parallel", 1) / copiers);
    long begun = System.nanoTime();
    for (int i = 0; i < copiers; i++) {
      pending.add(
          lab.client(i)
              .send(
                  new Command.Copy(DATA + "/" + i, TARGET + "/" + i, each, true),
                  Answer.Copied.class));
    }
    long peak = 0;
    for (LabClient.Pending<Answer.Copied> one : pending) {
      peak = Math.max(peak, one.await().answer().usedPeak());
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    double content = content(settings);
    Answer.Stored stored = lab.loader().call(new Command.Usage(DATA), Answer.Stored.class);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("encoding_rate", mib(content) / seconds);
    figures.put("peak", peak / content);
    figures.put("stored", stored.stored() / content);
    return figures;
  }
}
