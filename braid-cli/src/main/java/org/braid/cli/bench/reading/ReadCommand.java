package org.braid.cli.bench.reading;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.SeedOption;
import org.braid.cli.command.TemporaryDirectory;
import org.braid.cli.command.Version;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.Machine;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.bench.ReadBench;
import org.braid.hdfs.testkit.bench.ReadBench.Row;
import org.braid.hdfs.testkit.bench.ReadBench.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures sequential reads of one file. */
@Command(
    name = "read",
    description = {
      "Measures sequential reads of one file by one client on an embedded HDFS of 9 DataNodes: a"
          + " file converted to rs-6-3, read by HDFS's client and by Braid's, which reads"
          + " several blocks at once; and the same bytes striped by HDFS (RS-6-3-1024k)."
          + " Measures a healthy cluster and one with a stopped DataNode. HDFS's own throttle"
          + " limits each DataNode to --rate for clients; helpers of degraded reads are not"
          + " throttled.",
      "With --encrypted, each is read, too, from a cluster whose DataNodes encrypt what they send"
          + " (dfs.encrypt.data.transfer, AES), by turns: what it costs HDFS's own reads, and"
          + " degraded ones."
    },
    footer = {
      "",
      "Example: a small file, once",
      "  braid bench read --size 48m --block-size 4m --rate 16m --runs 1"
    })
public final class ReadCommand extends BaseCommand {
  @Option(
      names = "--size",
      defaultValue = "192m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of the file; default: ${DEFAULT-VALUE}.")
  private long size;

  @Option(
      names = "--block-size",
      defaultValue = "8m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of a block, a multiple of 1m; default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Option(
      names = "--rate",
      defaultValue = "32m",
      paramLabel = "SIZE",
      description =
          "Bytes a second that a DataNode sends to clients; 0 for no limit; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String rate;

  @Option(
      names = "--blocks",
      defaultValue = "6",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Blocks that Braid's client reads at once; default: ${DEFAULT-VALUE}.")
  private int blocks;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of runs of each contender; the contenders take turns; default:"
              + " ${DEFAULT-VALUE}.")
  private int runs;

  @Option(names = "--encrypted", description = "Measures what encrypted data transfer costs, too.")
  private boolean encrypted;

  @Mixin private final SeedOption seed = new SeedOption();

  @Override
  protected CommandResult perform() throws IOException {
    try (TemporaryDirectory workspace = new TemporaryDirectory(null);
        ProgressBars bars = new ProgressBars()) {
      Settings settings = settings(workspace.directory());
      List<Row> rows = ReadBench.run(settings, bars);
      boolean exact = rows.stream().allMatch(Row::exact);
      return new CommandResult(
          exact ? ExitStatus.DONE : ExitStatus.FAILED, object(settings, rows), lines(rows));
    }
  }

  private Settings settings(Path directory) {
    try {
      long limit = rate.equals("0") ? 0 : Sizes.parse(rate);
      return new Settings(
          size, Math.toIntExact(blockSize), limit, blocks, runs, encrypted, seed.seed(), directory);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private double speed(Row row) {
    return size / row.median() / (1 << 20);
  }

  private ObjectNode object(Settings settings, List<Row> rows) throws IOException {
    ObjectNode object = Json.object().put("ok", rows.stream().allMatch(Row::exact));
    object.put("commit", new Version().commit()).put("seed", settings.seed());
    Machine machine = Machine.here();
    object
        .putObject("machine")
        .put("cpu", machine.cpu())
        .put("cores", machine.cores())
        .put("jvm", machine.jvm())
        .put("system", machine.system());
    object.put("bytes", size).put("block_bytes", blockSize).put("node_rate", settings.nodeRate());
    ArrayNode array = object.putArray("rows");
    for (Row row : rows) {
      ObjectNode one = array.addObject().put("what", row.name()).put("exact", row.exact());
      one.put("encrypted", row.encrypted());
      one.put("mib_per_second", speed(row));
      row.seconds().forEach(one.putArray("seconds")::add);
    }
    return object;
  }

  private List<String> lines(List<Row> rows) {
    TextTable table = new TextTable("reader", ">MiB/s", ">seconds", ">times the first", "bytes");
    double first = speed(rows.get(0));
    double plain = 0;
    for (Row row : rows) {
      plain = row.encrypted() ? plain : row.median();
      table.row(
          row.encrypted()
              ? "  encrypted, %s times as long".formatted(format("%.2f", row.median() / plain))
              : row.name(),
          format("%.1f", speed(row)),
          format("%.2f", row.median()),
          format("%.2f", speed(row) / first),
          row.exact() ? "as written" : "WRONG");
    }
    Machine machine = Machine.here();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s in blocks of %s, each DataNode delivers %s; median of %d"
            .formatted(
                Sizes.format(size),
                Sizes.format(blockSize),
                rate.equals("0") ? "what it can" : rate + " a second",
                runs));
    lines.add(machine.cpu() + ", " + machine.cores() + " cores, " + machine.jvm());
    lines.add("");
    lines.addAll(table.lines());
    return lines;
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
