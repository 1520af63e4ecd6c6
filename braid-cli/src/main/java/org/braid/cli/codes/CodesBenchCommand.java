package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.cli.bench.Clock;
import org.braid.cli.bench.CodeBench;
import org.braid.cli.bench.CodeBench.Result;
import org.braid.cli.bench.Speed;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.cli.text.RunningTable;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.Machine;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.bench.BenchTask;
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

  /** Speeds are seldom wider. */
  private static final String WIDE_SPEED = "100.00 ±1.00";

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
    Machine machine = Machine.here();
    print(head(machine, clock, bench));
    List<Result> results = new ArrayList<>();
    try (ProgressBars bars = new ProgressBars()) {
      for (long size : sizes) {
        measure(bench, measured, (int) size, results, bars);
      }
    }
    return new CommandResult(ExitStatus.DONE, object(machine, clock, results), List.of());
  }

  /** Measures all with blocks of a size; prints each row at once, as all take minutes. */
  private void measure(
      CodeBench bench,
      List<ErasureCode> measured,
      int size,
      List<Result> results,
      ProgressBars bars) {
    List<Supplier<Result>> tasks = new ArrayList<>();
    for (ErasureCode code : measured) {
      tasks.add(() -> bench.encode(code, size));
      tasks.add(() -> bench.decode(code, size));
    }
    tasks.add(() -> bench.hop(size));
    List<String> contenders = new ArrayList<>(bench.names());
    if (measured.stream().anyMatch(CodeBench::hasPeer)) {
      contenders.add(CodeBench.PEER);
    }
    RunningTable table = table(contenders, measured);
    print(List.of("", "blocks of " + Sizes.format(size), table.header()));
    for (Supplier<Result> task : tasks) {
      if (out().checkError()) {
        return; // nobody reads on
      }
      Result result = task.get();
      results.add(result);
      print(List.of(table.row(cells(contenders, result))));
      if (printsJson()) {
        bars.at("measuring", results.size(), (long) tasks.size() * sizes.size());
      }
    }
  }

  /** Prints lines, unless the result is one object. */
  private void print(List<String> lines) {
    if (!printsJson()) {
      lines.forEach(out()::println);
    }
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

  private List<String> head(Machine machine, Clock clock, CodeBench bench) {
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
    return lines;
  }

  /** The table of these contenders, the first of which is Braid. */
  private static RunningTable table(List<String> contenders, List<ErasureCode> measured) {
    List<String> header = new ArrayList<>(List.of("code", "task"));
    List<String> widest = new ArrayList<>();
    widest.add(longest(measured.stream().map(ErasureCode::name)));
    widest.add(longest(measured.stream().flatMap(CodesBenchCommand::tasks)));
    for (String name : contenders) {
      header.add(">" + name);
      widest.add(WIDE_SPEED);
    }
    for (String name : contenders.subList(1, contenders.size())) {
      header.add(">" + contenders.get(0) + "/" + name);
      widest.add(ABSENT);
    }
    return new RunningTable(header, widest);
  }

  private static String longest(Stream<String> texts) {
    return texts.max(Comparator.comparingInt(String::length)).orElse("");
  }

  /** The names of all tasks that a code may have. */
  private static Stream<String> tasks(ErasureCode code) {
    return Stream.concat(
        Stream.of(decoding(BenchTask.mostLost(code))),
        code.encodings().stream().map(way -> encoding(way.name())));
  }

  private static Object[] cells(List<String> contenders, Result result) {
    List<Object> cells = new ArrayList<>();
    cells.add(result.code().isEmpty() ? ABSENT : result.code());
    cells.add(what(result));
    for (String name : contenders) {
      cells.add(cell(result.speeds().get(name), CodesBenchCommand::speed));
    }
    for (String name : contenders.subList(1, contenders.size())) {
      cells.add(cell(result.ratios().get(name), r -> String.format(Locale.ROOT, "%.2f", r)));
    }
    return cells.toArray();
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
      return decoding(result.lost());
    }
    return result.way().isEmpty() || result.way().equals("matrix")
        ? result.task()
        : encoding(result.way());
  }

  private static String decoding(List<Integer> lost) {
    return "decode " + lost.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String encoding(String way) {
    return "encode " + way;
  }
}
