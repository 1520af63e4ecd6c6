package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.braid.cli.bench.Clock;
import org.braid.cli.bench.CodeBench;
import org.braid.cli.bench.CodeBench.Result;
import org.braid.cli.bench.Speed;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.Machine;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.bench.HadoopCoder;
import org.braid.kernel.Kernel;
import org.braid.kernel.Kernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "bench",
    description = {
      "Measures the speed of codes on one core, and of ISA-L called directly and Hadoop's Java"
          + " coder.",
      "Columns: isal, Braid with ISA-L; raw, one prepared call of ISA-L for the code's whole"
          + " matrix; scalar, Braid in plain Java; hadoop, Hadoop's own coder in plain Java; rs,"
          + " Reed-Solomon with as many parity blocks.",
      "A speed is the median of the runs in GB/s (10^9 bytes a second), plus or"
          + " minus half the interquartile range. Encoding and decoding count the k data"
          + " blocks of a stripe, however many blocks are read or lost; a hop (out = a +"
          + " c*b, one step of a repair) counts one block."
    },
    footer = {
      "",
      "Example: two codes in blocks of 64 KiB",
      "  braid codes bench --sizes 64k rs-6-3 rs-10-4"
    })
final class CodesBenchCommand extends BaseCommand {
  /** Measured when none is named, as far as this build knows them. */
  private static final List<String> DEFAULTS =
      List.of(
          "rs-6-3",
          "rs-10-4",
          "xor-6-1",
          "lrc-12-2-2",
          "xorbas-10-6-5",
          "mxor-10-7",
          "rstair-n5-r4-m1-e2-l1");

  private static final long MAX_BLOCK = 256 << 20;
  private static final String ABSENT = "-";

  @Parameters(
      arity = "0..*",
      paramLabel = "CODE",
      description =
          "Codes to measure, as in rs-6-3; default: one or two codes of each family"
              + " that computes parity in its own way.")
  @SuppressWarnings("NullAway.Init")
  private List<String> names;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "64k,1m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description =
          "Block sizes in bytes, separated by commas, as in 64k,1m; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private List<Long> sizes;

  @Option(
      names = "--runs",
      defaultValue = "15",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of runs of each column; the columns take turns; more runs give"
              + " steadier medians; default: ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--seconds",
      defaultValue = "0.02",
      paramLabel = "S",
      description = "Length of a run in seconds; default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warmup",
      defaultValue = "0.3",
      paramLabel = "S",
      description = "Length of the warm-up of each column in seconds; default: ${DEFAULT-VALUE}.")
  private double warmUp;

  @Mixin private final SeedOption seed = new SeedOption();

  @Override
  protected CommandResult perform() {
    List<ErasureCode> measured = codes();
    check(measured);
    Kernel active = Kernels.active();
    Optional<Kernel> isal = active == Kernels.scalar() ? Optional.empty() : Optional.of(active);
    Clock clock = Clock.ofThisThread();
    CodeBench bench =
        new CodeBench(
            new CodeBench.Settings(runs, seconds, warmUp, seed.seed()),
            clock,
            isal,
            List.of(new HadoopCoder()));
    List<Result> results = new ArrayList<>();
    for (long size : sizes) {
      for (ErasureCode code : measured) {
        results.add(bench.encode(code, (int) size));
        results.add(bench.decode(code, (int) size));
      }
      results.add(bench.hop((int) size));
    }
    Machine machine = Machine.here();
    return new CommandResult(
        ExitStatus.DONE, object(machine, clock, results), lines(machine, clock, bench, results));
  }

  private List<ErasureCode> codes() {
    if (names != null) {
      return names.stream().map(Codes::named).toList();
    }
    return DEFAULTS.stream()
        .filter(name -> Codes.families().stream().anyMatch(f -> name.startsWith(f.prefix() + "-")))
        .map(Codes::named)
        .toList();
  }

  private void check(List<ErasureCode> measured) {
    if (!(seconds > 0 && seconds <= 60)) {
      throw wrong("--seconds " + seconds + " is not above 0 and at most 60");
    }
    if (!(warmUp >= 0 && warmUp <= 60)) {
      throw wrong("--warmup " + warmUp + " is not from 0 to 60");
    }
    for (long size : sizes) {
      if (size > MAX_BLOCK) {
        throw wrong("--sizes " + size + " is above " + MAX_BLOCK + " bytes a block");
      }
      for (ErasureCode code : measured) {
        if (size < code.alpha()) {
          throw wrong(
              "--sizes "
                  + size
                  + " is less than a byte for each of the "
                  + code.alpha()
                  + " sub-blocks of "
                  + code.name());
        }
      }
    }
  }

  private ObjectNode object(Machine machine, Clock clock, List<Result> results) {
    ObjectNode object = Json.object().put("ok", true);
    ObjectNode on = object.putObject("machine");
    on.setAll(Json.of(machine));
    on.put("kernel", Kernels.description()).put("threads", 1).put("clock", clock.name());
    object.put("seed", seed.seed()).put("runs", runs).put("seconds_a_run", seconds);
    object.put("unit", "GB/s");
    ArrayNode rows = object.putArray("rows");
    for (Result result : results) {
      ObjectNode row = rows.addObject();
      row.setAll(Json.of(result));
    }
    return object;
  }

  private List<String> lines(Machine machine, Clock clock, CodeBench bench, List<Result> results) {
    List<String> lines = new ArrayList<>();
    lines.add("cpu     " + machine.cpu() + ", " + Sizes.count(machine.cores(), "core"));
    lines.add("jvm     " + machine.jvm() + ", " + machine.system());
    lines.add("kernel  " + Kernels.description());
    lines.add(
        "runs    %d of %s s each, by turns, threads=1, seed=%d, clock: %s"
            .formatted(runs, seconds, seed.seed(), clock.name()));
    if (!bench.names().contains(CodeBench.ISAL)) {
      lines.add("ISA-L is not used, so there is no isal and no raw; ratios are scalar's");
    }
    lines.add("speeds  GB/s: data of the stripe (k blocks) to encode or decode, one block a hop");
    for (long size : sizes) {
      lines.add("");
      lines.add("blocks of " + Sizes.format(size));
      lines.addAll(table(bench, results.stream().filter(r -> r.blockBytes() == size).toList()));
    }
    return lines;
  }

  private static List<String> table(CodeBench bench, List<Result> results) {
    List<String> names = new ArrayList<>(bench.names());
    if (results.stream().anyMatch(r -> !r.peer().isEmpty())) {
      names.add(CodeBench.PEER);
    }
    String ours = names.get(0);
    List<String> others = names.subList(1, names.size());
    List<String> header = new ArrayList<>(List.of("code", "task"));
    names.forEach(name -> header.add(">" + name));
    others.forEach(name -> header.add(">" + ours + "/" + name));
    var table = new TextTable(header.toArray(String[]::new));
    for (Result result : results) {
      List<Object> cells = new ArrayList<>();
      cells.add(result.code().isEmpty() ? ABSENT : result.code());
      cells.add(what(result));
      for (String name : names) {
        cells.add(cell(result.speeds().get(name), CodesBenchCommand::speed));
      }
      for (String name : others) {
        cells.add(cell(result.ratios().get(name), r -> String.format(Locale.ROOT, "%.2f", r)));
      }
      table.row(cells.toArray());
    }
    return table.lines();
  }

  private static <T> String cell(@Nullable T value, Function<T, String> text) {
    return value == null ? ABSENT : text.apply(value);
  }

  private static String speed(Speed speed) {
    double spread = (speed.high() - speed.low()) / 2;
    return String.format(Locale.ROOT, "%.2f ±%.2f", speed.median(), spread);
  }

  private static String what(Result result) {
    if (!result.lost().isEmpty()) {
      return "decode "
          + result.lost().stream().map(String::valueOf).collect(Collectors.joining(","));
    }
    return result.way().isEmpty() || result.way().equals("matrix")
        ? result.task()
        : result.task() + " " + result.way();
  }
}
