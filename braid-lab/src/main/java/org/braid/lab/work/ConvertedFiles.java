package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.lab.Answer;
import org.braid.hdfs.lab.Command;

/** Converted files that trials of an experiment share: made when one first asks, on a free net. */
final class ConvertedFiles {
  /** The settings they are made by. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          "code", "rs-6-3",
          "block", "8m",
          "stripes", "1",
          // Over sites: even or code-aware; empty: racks alone count.
          "placement", "",
          "per-rack", "0",
          "parity-copies", "1",
          // Whether each repetition has places, and losses, of its own.
          "drawn-anew", "false");

  static final ConvertRequest.Method IN_ORDER =
      new ConvertRequest.Method(
          ConvertRequest.Encoder.CORE_RACK,
          ConvertRequest.Group.ORDER,
          ConvertRequest.Encode.GATHER,
          ConvertRequest.Homes.EVEN);

  /** Where Braid keeps parity. */
  static final String PARITY = "/.braid/stripes";

  private static final int REPLICAS = 3;
  private static final int PARALLEL = 4;
  private static final int SLICE = 256 << 10;
  private static final double WHOLE_SECONDS = 60;

  private ConvertedFiles() {}

  /**
   * A file.
   *
   * @param crcs CRC-32C of its blocks, in order
   */
  record File(String path, long blockBytes, List<Long> crcs) {
    /** Compares what was read of a block with what was written. */
    void check(Answer.Block block, long crc32c) throws ExperimentException {
      if (crcs.get(block.index()) != crc32c) {
        throw ExperimentException.failed(
            "block %d of %s was read as other bytes than were written: CRC-32C %08x, not %08x"
                .formatted(block.index(), path, crc32c, crcs.get(block.index())));
      }
    }
  }

  /** Refuses settings that describe no file, or one that does not fit with blocks lost. */
  static void check(Settings settings, int lost) throws ExperimentException {
    ErasureCode code = settings.as("code", Codes::named);
    int copies = settings.integer("parity-copies", 1);
    if (copies > ConvertRequest.MAX_PARITY_COPIES) {
      throw settings.wrong(
          "parity-copies", "at most %d are possible".formatted(ConvertRequest.MAX_PARITY_COPIES));
    }
    settings.flag("drawn-anew");
    int nodes = Bench.topology(settings).topology().nodes();
    int needed = code.k() + code.m() * copies + lost;
    if (nodes < needed) {
      throw settings.wrong(
          "topology",
          "%d nodes are too few for %d data blocks, %d copies of %d parities and new places for %d"
              .formatted(nodes, code.k(), copies, code.m(), lost));
    }
  }

  /** The file that a trial's settings describe. */
  static File ensure(Bench bench, Trial trial) throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    long block = settings.size("block");
    int stripes = settings.integer("stripes", 1);
    Command.Spread spread =
        new Command.Spread(
            settings.integer("per-rack", 0),
            0,
            settings.text("placement"),
            settings.integer("parity-copies", 1));
    long seed = settings.flag("drawn-anew") ? trial.seed() : trial.experiment().seed();
    String directory =
        "/converted/%s-%d-%d-%s-%d-%d-%x"
            .formatted(
                code.name(),
                block,
                stripes,
                spread.sites(),
                spread.perRack(),
                spread.parityCopies(),
                seed);
    return bench.once(
        directory,
        () -> make(bench, directory, code, block * code.k() * stripes, block, spread, seed));
  }

  private static File make(
      Bench bench,
      String directory,
      ErasureCode code,
      long bytes,
      long block,
      Command.Spread spread,
      long seed)
      throws ExperimentException, InterruptedException {
    LabClient loader = bench.loader();
    String ear = code.name() + (spread.perRack() == 0 ? "" : ",c=" + spread.perRack());
    loader.tell(new Command.MakeDirectory(directory, spread.sites().isEmpty() ? ear : "", ""));
    String path = directory + "/file";
    loader.tell(new Command.Write(path, 1, bytes, REPLICAS, block, 1, seed), Answer.Written.class);
    loader.tell(new Command.AwaitWhole(path, WHOLE_SECONDS, false), Answer.Whole.class);
    Answer.Converted converted =
        loader.tell(
            new Command.Convert(
                List.of(path), code.name(), spread, IN_ORDER, PARALLEL, SLICE, seed),
            Answer.Converted.class);
    if (!converted.skipped().isEmpty()) {
      throw ExperimentException.failed("not converted: " + converted.skipped().get(0));
    }
    List<Long> crcs = new ArrayList<>();
    for (Answer.Block one : bench.settled(path)) {
      Command.Read read =
          new Command.Read(
              path, Command.Client.PLAIN, new LinkedHashMap<>(), one.offset(), one.bytes(), false);
      crcs.add(loader.tell(read, Answer.Been.class).crc32c());
    }
    return new File(path, block, crcs);
  }
}
