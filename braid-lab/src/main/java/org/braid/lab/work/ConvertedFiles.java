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
          "parity-copies", "1");

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

  /** The file that a trial's settings describe. */
  static File ensure(Bench bench, Trial trial) throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    long block = settings.size("block");
    int stripes = settings.integer("stripes", 1);
    String placement = settings.text("placement");
    int perRack = settings.integer("per-rack", 0);
    int copies = settings.integer("parity-copies", 1);
    String directory =
        "/converted/%s-%d-%d-%s-%d-%d"
            .formatted(code.name(), block, stripes, placement, perRack, copies);
    return bench.once(
        directory,
        () -> {
          File file = make(bench, directory, code, block, stripes, placement, perRack, trial);
          if (copies > 1) {
            copyParity(bench, copies);
          }
          return file;
        });
  }

  /** Has HDFS keep several copies of parity (Geo-MXOR section VI-B), of all stripes there are. */
  private static void copyParity(Bench bench, int copies)
      throws ExperimentException, InterruptedException {
    bench.loader().tell(new Command.Replicate(PARITY, copies));
    bench.loader().tell(new Command.AwaitWhole(PARITY, WHOLE_SECONDS, false), Answer.Whole.class);
  }

  private static File make(
      Bench bench,
      String directory,
      ErasureCode code,
      long block,
      int stripes,
      String placement,
      int perRack,
      Trial trial)
      throws ExperimentException, InterruptedException {
    LabClient loader = bench.loader();
    String ear = code.name() + (perRack == 0 ? "" : ",c=" + perRack);
    loader.tell(new Command.MakeDirectory(directory, placement.isEmpty() ? ear : "", ""));
    String path = directory + "/file";
    long bytes = block * code.k() * stripes;
    long seed = trial.experiment().seed();
    loader.tell(new Command.Write(path, 1, bytes, REPLICAS, block, 1, seed), Answer.Written.class);
    loader.tell(new Command.AwaitWhole(path, WHOLE_SECONDS, false), Answer.Whole.class);
    Answer.Converted converted =
        loader.tell(
            new Command.Convert(
                List.of(path), code.name(), perRack, 0, placement, IN_ORDER, PARALLEL, SLICE, seed),
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
