package org.braid.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.braid.cli.demo.Demo;
import org.braid.cli.demo.DemoJson;
import org.braid.cli.demo.DemoReport;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.cli.demo.DemoSettings;
import org.braid.cli.demo.DemoTables;
import org.braid.cli.demo.Narrator;
import org.braid.cli.report.ReportPage;
import org.braid.code.ErasureCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = DemoCommand.NAME,
    description = {
      "Converts real files on an embedded HDFS in place, stops nodes, reads, repairs, restores.",
      "Compares everything that is read with what was written (SHA-256); the exit status is 1 when"
          + " a comparison does not hold."
    },
    footer = {
      "",
      "Example: ten data and four parity blocks in eight racks",
      "  braid demo --code rs-10-4 --racks 8 --nodes 24 FILE"
    })
final class DemoCommand extends BaseCommand {
  static final String NAME = "demo";

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files or directories to store; default: a large file of the JDK.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--code",
      defaultValue = "rs-6-3",
      paramLabel = "CODE",
      description = "The code; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Option(
      names = "--racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description =
          "Racks; default: as many as the code has columns, else six, or more if it needs them.")
  private @Nullable Integer racks;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "DataNodes, dealt to the racks in turn; default: three a rack, and one more than a"
              + " column of the code has blocks.")
  private @Nullable Integer nodes;

  @Option(
      names = "--block-size",
      defaultValue = "1m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of a block; default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description = "Most blocks of a stripe in a rack; default: the fewest that fit.")
  private @Nullable Integer perRack;

  @Mixin private final WorkOptions work = new WorkOptions();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the cluster keeps its data meanwhile; default: the system's directory.")
  private @Nullable Path directory;

  @ArgGroup(exclusive = true)
  private @Nullable Page page;

  /** Where the report goes. */
  private static final class Page {
    @Option(
        names = "--report",
        paramLabel = "FILE",
        description = "Where the HTML report goes; default: braid-report.html.")
    private @Nullable Path file;

    @Option(names = "--no-report", description = "Write no HTML report.")
    private boolean none;
  }

  @Override
  protected Outcome perform() throws IOException {
    int inRacks = racks == null ? DemoSettings.racks(code) : racks;
    int count = nodes == null ? DemoSettings.nodesPerRack(code) * inRacks : nodes;
    if (count < inRacks) {
      throw wrong(
          count + " nodes cannot fill " + inRacks + " racks: give at least one node a rack");
    }
    if (blockSize % 512 != 0) {
      throw wrong(
          "--block-size " + blockSize + " is not a multiple of 512 bytes, HDFS's checksum chunk");
    }
    var settings =
        new DemoSettings(
            code,
            inRacks,
            count,
            blockSize,
            perRack == null ? OptionalInt.empty() : OptionalInt.of(perRack),
            work.parallel(),
            work.slice(),
            work.seed());
    ReportFile target = target();
    var version = new Version();
    List<Fact> machine =
        List.of(
            new Fact("braid", version.version() + " (" + version.commit() + ")"),
            new Fact("hadoop", version.hadoop()),
            new Fact("kernel", Version.kernel()),
            new Fact("java", System.getProperty("java.version", "unknown")));
    PrintWriter story = printsJson() ? new PrintWriter(Writer.nullWriter()) : out();
    DemoReport report;
    try (Bars bars = new Bars()) {
      report = new Demo(settings, new Narrator(story), bars).play(files, directory, machine);
    }
    if (target != null) {
      target.write(ReportPage.of(report));
    }
    return new Outcome(
        report.ok() ? ExitStatus.DONE : ExitStatus.FAILED,
        DemoJson.of(report, target == null ? "" : target.toString()),
        lines(report, target));
  }

  private @Nullable ReportFile target() throws IOException {
    if (page != null && page.none) {
      return null;
    }
    return ReportFile.of(
        page == null || page.file == null ? Path.of("braid-report.html") : page.file);
  }

  private static List<String> lines(DemoReport report, @Nullable ReportFile target) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(DemoTables.storage(report).lines());
    lines.add("");
    lines.addAll(DemoTables.work(report).lines());
    lines.add("");
    lines.addAll(DemoTables.verdict(report));
    report.checks().stream()
        .filter(check -> !check.ok())
        .forEach(
            check -> lines.add("DOES NOT HOLD: " + check.what() + " (" + check.detail() + ")"));
    if (target != null) {
      lines.add("report: " + target);
    }
    return lines;
  }
}
