package org.braid.cli.bench.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
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
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Row;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what many stripes cost a NameNode. */
@Command(
    name = "namenode",
    description = {
      "Measures what many stripes cost a NameNode: heap, start-up, failover, holds of its lock and"
          + " the calls of Braid's commands. Each NameNode is a real one in a process of its own;"
          + " files, blocks and attributes are in its image, and DataNodes without data report"
          + " the replicas. A stripe has one file of k blocks of 128 MiB.",
      "Column plain: the same NameNode without Braid; for heap, the same files with three replicas."
          + " Operations are medians of up to 5 runs.",
      "Each NameNode gets a heap of 1 GiB and 1000 bytes for each block of a stripe. They run one"
          + " after the other, with their files in the directory for temporary files (-D"
          + "java.io.tmpdir in BRAID_JAVA_OPTS sets another), and leave nothing behind. With fewer"
          + " than 10000 stripes the heap of a stripe is not told. The exit status is 1 when a goal"
          + " is not held."
    },
    footer = {
      "",
      "Example: a hundred thousand stripes (80 TB of files)",
      "  braid bench namenode --stripes 100000"
    })
public final class NameNodeCommand extends BaseCommand {
  private static final String ABSENT = "-";

  @Option(
      names = "--stripes",
      defaultValue = "10000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of stripes; a million of rs-6-3 takes 11 GiB of memory and 8 minutes; default:"
              + " ${DEFAULT-VALUE}.")
  private int stripes;

  @Option(
      names = "--code",
      defaultValue = "rs-6-3",
      paramLabel = "CODE",
      description = "Code of the stripes, as in rs-6-3; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String code;

  @Option(
      names = "--limit",
      defaultValue = "30",
      paramLabel = "S",
      converter = Converters.Count.class,
      description =
          "Seconds after which an operation is not waited for any more; default:"
              + " ${DEFAULT-VALUE}.")
  private int limit;

  @Mixin private final SeedOption seed = new SeedOption();

  @Override
  protected CommandResult perform() throws IOException {
    requireMemory();
    try (TemporaryDirectory workspace = new TemporaryDirectory(null);
        ProgressBars bars = new ProgressBars()) {
      Settings settings = settings(workspace.directory());
      List<Row> rows = NameNodeBench.run(settings, bars);
      boolean missed = rows.stream().anyMatch(row -> !row.reached().orElse(true));
      return new CommandResult(
          missed ? ExitStatus.FAILED : ExitStatus.DONE,
          object(settings, !missed, rows),
          lines(settings, rows));
    }
  }

  /** A NameNode that swaps measures the disk. */
  private void requireMemory() throws RefusedException {
    long needed = settings(Path.of("")).heap();
    long memory =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    if (memory < needed) {
      throw new RefusedException(
          "%d stripes of %s need a heap of %s, this machine has %s of memory: give fewer --stripes"
              .formatted(stripes, code, Sizes.format(needed), Sizes.format(memory)));
    }
  }

  private Settings settings(Path directory) {
    try {
      return new Settings(code, stripes, seed.seed(), limit, directory);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private static ObjectNode object(Settings settings, boolean ok, List<Row> rows)
      throws IOException {
    ObjectNode object = Json.object().put("ok", ok);
    object.putObject("machine").setAll(Json.of(Machine.here()));
    object.put("commit", new Version().commit()).put("seed", settings.seed());
    object.put("stripes", settings.stripes()).put("code", settings.code());
    object.put("heap_bytes", settings.heap());
    ArrayNode array = object.putArray("rows");
    for (Row row : rows) {
      ObjectNode one = array.addObject().put("name", row.what()).put("unit", row.unit());
      put(one, "plain", row.plain());
      put(one, "braid", row.value());
      put(one, "ratio", row.ratio());
      put(one, "goal", row.goal());
      row.reached().ifPresent(reached -> one.put("held", reached));
      one.put("remark", row.remark());
    }
    return object;
  }

  private static void put(ObjectNode node, String key, OptionalDouble value) {
    value.ifPresent(present -> node.put(key, present));
  }

  private static List<String> lines(Settings settings, List<Row> rows) throws IOException {
    Machine machine = Machine.here();
    List<String> lines = new ArrayList<>();
    lines.add("cpu      " + machine.cpu() + ", " + Sizes.count(machine.cores(), "core"));
    lines.add("jvm      " + machine.jvm() + ", " + machine.system());
    lines.add("braid    commit " + new Version().commit() + ", seed=" + settings.seed());
    lines.add(
        "stripes  %d of %s, each NameNode with a heap of up to %s"
            .formatted(settings.stripes(), settings.code(), Sizes.format(settings.heap())));
    lines.add("");
    TextTable table =
        new TextTable("what", "unit", ">plain", ">braid", ">ratio", "goal", "held", "remark");
    for (Row row : rows) {
      table.row(
          row.what(),
          row.unit(),
          number(row.plain(), row.unit()),
          number(row.value(), row.unit()),
          row.ratio().isPresent()
              ? String.format(Locale.ROOT, "%.2f", row.ratio().getAsDouble())
              : ABSENT,
          row.goal().isPresent() ? "at most " + number(row.goal(), row.unit()) : "",
          row.reached().map(reached -> reached ? "yes" : "NO").orElse(""),
          row.remark());
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static String number(OptionalDouble value, String unit) {
    if (value.isEmpty()) {
      return ABSENT;
    }
    double number = value.getAsDouble();
    if (unit.equals("B")) {
      return Sizes.format((long) number);
    }
    String pattern = Math.abs(number) >= 100 ? "%.0f" : Math.abs(number) >= 1 ? "%.2f" : "%.5f";
    return String.format(Locale.ROOT, pattern, number);
  }
}
