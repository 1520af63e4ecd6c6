package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/**
 * Converted files that the trials of an experiment share, made at the first request without link
 * limits.
 */
final class ConvertedFiles {
  /** The settings of the files. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          "code", "rs-6-3",
          "block", "8m",
          "stripes", "1",
          // Over sites: even or code-aware; empty: by racks alone.
          "placement", "",
          "per-rack", "0",
          "parity-copies", "1",
          // Whether each repetition draws its own placement and losses.
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
    /** Compares a block as read with the block as written. */
    void check(Answer.Block block, long crc32c) throws ExperimentException {
      if (crcs.get(block.index()) != crc32c) {
        throw ExperimentException.failed(
            "block %d of %s was read as other bytes than were written: CRC-32C %08x, not %08x"
                .formatted(block.index(), path, crc32c, crcs.get(block.index())));
      }
    }
  }

  /** Refuses settings that name no valid file, or too few nodes for it and the lost blocks. */
  static void check(WorkloadSettings settings, int lost) throws ExperimentException {
    ErasureCode code = settings.as("code", Codes::named);
    int copies = settings.integer("parity-copies", 1);
    if (copies > ConvertRequest.MAX_PARITY_COPIES) {
      throw settings.wrong(
          "parity-copies", "at most %d are possible".formatted(ConvertRequest.MAX_PARITY_COPIES));
    }
    settings.flag("drawn-anew");
    int nodes = TrialLab.topology(settings).topology().nodes();
    int needed = code.k() + code.m() * copies + lost;
    if (nodes < needed) {
      throw settings.wrong(
          "topology",
          "%d nodes are too few for %d data blocks, %d copies of %d parities and new places for %d"
              .formatted(nodes, code.k(), copies, code.m(), lost));
    }
  }

  /** The file of a trial's settings. */
  static File ensure(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    long block = settings.size("block");
    int stripes = settings.integer("stripes", 1);
    Command.Placement placement =
        new Command.Placement(
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
                placement.sites(),
                placement.perRack(),
                placement.parityCopies(),
                seed);
    return lab.once(
        directory,
        () -> make(lab, directory, code, block * code.k() * stripes, block, placement, seed));
  }

  private static File make(
      TrialLab lab,
      String directory,
      ErasureCode code,
      long bytes,
      long block,
      Command.Placement placement,
      long seed)
      throws ExperimentException, InterruptedException {
    LabClient loader = lab.loader();
    String ear = code.name() + (placement.perRack() == 0 ? "" : ",c=" + placement.perRack());
    loader.call(new Command.MakeDirectory(directory, placement.sites().isEmpty() ? ear : "", ""));
    String path = directory + "/file";
    loader.call(new Command.Write(path, 1, bytes, REPLICAS, block, 1, seed), Answer.Written.class);
    loader.call(new Command.AwaitWhole(path, WHOLE_SECONDS, false), Answer.Whole.class);
    Answer.Converted converted =
        loader.call(
            new Command.Convert(
                List.of(path), code.name(), placement, IN_ORDER, PARALLEL, SLICE, seed),
            Answer.Converted.class);
    if (!converted.skipped().isEmpty()) {
      throw ExperimentException.failed("not converted: " + converted.skipped().get(0));
    }
    List<Long> crcs = new ArrayList<>();
    for (Answer.Block one : lab.settled(path)) {
      Command.Read read =
          new Command.Read(
              path, Command.Client.PLAIN, new LinkedHashMap<>(), one.offset(), one.bytes(), false);
      crcs.add(loader.call(read, Answer.RangeRead.class).crc32c());
    }
    return new File(path, block, crcs);
  }
}
