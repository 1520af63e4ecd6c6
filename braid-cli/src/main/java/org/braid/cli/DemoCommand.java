package org.braid.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeOptions;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.ReportFile;
import org.braid.cli.command.StripeWorkOptions;
import org.braid.cli.command.Version;
import org.braid.cli.demo.Demo;
import org.braid.cli.demo.DemoJson;
import org.braid.cli.demo.DemoPrinter;
import org.braid.cli.demo.DemoReport;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.cli.demo.DemoSettings;
import org.braid.cli.demo.DemoTables;
import org.braid.cli.report.ReportPage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = DemoCommand.NAME,
    description = {
      "Demonstrates Braid on an embedded HDFS: writes files, converts them in place, stops"
          + " nodes, reads, repairs and restores.",
      "Compares the SHA-256 of every file that it reads with that of the written"
          + " file. The exit status is 1 when a comparison does not hold."
    },
    footer = {
      "",
      "Example: your own file, with ten data and four parity blocks in eight racks",
      "  braid demo --code rs-10-4 --racks 8 --nodes 24 FILE"
    })
final class DemoCommand extends BaseCommand {
  static final String NAME = "demo";

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files or directories to store; default: a large file of the JDK.")
  private List<Path> files = new ArrayList<>();

  @Mixin private final CodeOptions stripes = new CodeOptions();

  @Option(
      names = "--racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description =
          "Number of racks; default: one for each column of the code, else six, or more"
              + " if the code needs them.")
  private @Nullable Integer racks;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of DataNodes, assigned to the racks in turn; default: three per rack,"
              + " or for a code with columns one more per rack than a column has blocks.")
  private @Nullable Integer nodes;

  @Option(
      names = "--block-size",
      defaultValue = "1m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description =
          "Bytes of a block, as in 4m; smaller blocks make more stripes of a file;"
              + " default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Mixin private final StripeWorkOptions work = new StripeWorkOptions();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Directory for the cluster's data, about nine times the size of the files;"
              + " the data is deleted at the end; default: the system's directory for"
              + " temporary files.")
  private @Nullable Path directory;

  @ArgGroup(exclusive = true)
  private @Nullable Page page;

  /** Where the report goes. */
  private static final class Page {
    @Option(
        names = "--report",
        paramLabel = "FILE",
        description =
            "HTML file to write the report and its drawings to; default:" + " braid-report.html.")
    private @Nullable Path file;

    @Option(names = "--no-report", description = "Write no HTML report.")
    private boolean none;
  }

  @Override
  protected CommandResult perform() throws IOException {
    int inRacks = racks == null ? DemoSettings.racks(stripes.code()) : racks;
    int count = nodes == null ? DemoSettings.nodesPerRack(stripes.code()) * inRacks : nodes;
    if (count < inRacks) {
      throw wrong(
          count + " nodes cannot fill " + inRacks + " racks: give at least one node per rack");
    }
    if (blockSize % 512 != 0) {
      throw wrong(
          "--block-size " + blockSize + " is not a multiple of 512 bytes, HDFS's checksum chunk");
    }
    var settings =
        new DemoSettings(
            stripes.code(),
            inRacks,
            count,
            blockSize,
            stripes.perRack(),
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
    PrintWriter sections = printsJson() ? new PrintWriter(Writer.nullWriter()) : out();
    DemoReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report = new Demo(settings, new DemoPrinter(sections), bars).run(files, directory, machine);
    }
    if (target != null) {
      target.write(ReportPage.of(report));
    }
    return new CommandResult(
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
    lines.add(DemoTables.verdict(report));
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
