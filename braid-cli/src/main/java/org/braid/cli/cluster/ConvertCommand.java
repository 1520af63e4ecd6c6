package org.braid.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.HdfsPath;
import org.braid.cli.cluster.base.LeastTime;
import org.braid.cli.command.CodeOptions;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ParityCopiesOption;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.StripeWorkOptions;
import org.braid.cli.command.Termination;
import org.braid.cli.text.GroupingText;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.ReadShare;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "convert",
    description = {
      "Converts replicated files to erasure coding in place: same paths, same blocks, fewer"
          + " bytes.",
      "Lists files that cannot be converted with the reason. The exit status is 1 when the"
          + " conversion of one failed or met a quota, and else 3 when no file can be converted.",
      "After Ctrl-C the same command goes on from there: what is converted stays converted, and"
          + " every file is as safe as before."
    },
    footer = {
      "",
      "Example: convert everything under /logs to 10 data and 4 parity blocks",
      "  braid convert -fs hdfs://namenode:8020 --code rs-10-4 /logs",
      "Example: what that would save and move",
      "  braid convert -fs hdfs://namenode:8020 --code rs-10-4 --dry-run /logs"
    })
final class ConvertCommand extends ClusterCommand {
  private static final int SHOWN_FILES = 20;
  private static final String RACKS = "racks";

  /** Why files were left alone whose conversion was begun, or wanted to be, and did not succeed. */
  private static final Set<String> FAILURES = Set.of("FAILED", "QUOTA");

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "Files or directories to convert, as in /logs. Directories below them whose names begin"
              + " with . or _ are left alone, as Hadoop's jobs pass over them: name them to convert"
              + " them, too.")
  private List<HdfsPath> paths = new ArrayList<>();

  @Mixin private final CodeOptions stripes = new CodeOptions();

  @Option(
      names = "--placement",
      defaultValue = RACKS,
      paramLabel = "WHICH",
      description =
          "Placement of the blocks of a stripe: racks, few blocks in each rack, or one"
              + " rack for each column of the code; even, equally many blocks at each site;"
              + " code-aware, each locality group of the code at one site, so that repairs"
              + " stay there. The site is the rack's name without its last part, as /paris"
              + " for /paris/r7; default: ${DEFAULT-VALUE}.")
  private String placement = RACKS;

  @Mixin private final ParityCopiesOption parity = new ParityCopiesOption();

  @Option(
      names = "--target-racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description =
          "Largest number of racks that hold blocks of a stripe, with --placement"
              + " racks: with fewer racks, repairs send less across racks, but stripes"
              + " survive the loss of fewer racks; default: all racks.")
  private @Nullable Integer targetRacks;

  @Option(
      names = "--encoder",
      defaultValue = "core-rack",
      paramLabel = "WHICH",
      description =
          "Node that computes parity: core-rack, in the rack that has most of the data;"
              + " random, the baseline of measurements; default: ${DEFAULT-VALUE}.")
  private Encoder encoder = Encoder.CORE_RACK;

  @Option(
      names = "--group",
      defaultValue = "auto",
      paramLabel = "HOW",
      description =
          "Which blocks form a stripe: order, consecutive blocks of files; retroactive,"
              + " blocks whose replicas share a rack, also of different files with the same"
              + " readers; auto, the one that downloads and relocates fewer blocks without"
              + " more parity; default: ${DEFAULT-VALUE}.")
  private Group group = Group.AUTO;

  @Option(
      names = "--encode",
      defaultValue = "auto",
      paramLabel = "HOW",
      description =
          "How parity is computed: gather, one node reads all data; pipelined, partial"
              + " parities pass through the nodes of the data; auto, the faster one with"
              + " --parallel stripes at a time; default: ${DEFAULT-VALUE}.")
  private Encode encode = Encode.AUTO;

  @Option(
      names = "--homes",
      defaultValue = "even",
      paramLabel = "HOW",
      description =
          "How to choose among equally good nodes for the remaining replicas and the"
              + " parity: even, so that all nodes serve about as many reads; random; near,"
              + " parity in the rack that encodes; default: ${DEFAULT-VALUE}.")
  private Homes homes = Homes.EVEN;

  @Option(
      names = "--dry-run",
      description =
          "Change nothing: say what this would convert and leave alone, the bytes it would save and"
              + " move across racks, and how long the links need for that at least at the configured"
              + " rates and the throttle in force.")
  private boolean dryRun;

  @Mixin private final StripeWorkOptions work = new StripeWorkOptions();

  private final Termination termination;

  ConvertCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected List<HdfsPath> paths() {
    return paths;
  }

  @Override
  protected Optional<Termination> termination() {
    return dryRun ? Optional.empty() : Optional.of(termination);
  }

  @Override
  protected void checkArguments() {
    if (!List.of(RACKS, "even", "code-aware").contains(placement)) {
      throw wrong("--placement " + placement + " is not known: racks, even or code-aware");
    }
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    if (dryRun) {
      return preview(cluster);
    }
    ConvertReport report;
    try (ProgressBars bars = new ProgressBars()) {
      shows(bars);
      report = cluster.convert(request(bars));
    }
    boolean refused = report.files().isEmpty() && !report.skipped().isEmpty();
    boolean failed = report.skipped().stream().anyMatch(file -> FAILURES.contains(file.cause()));
    return new CommandResult(
        failed ? ExitStatus.FAILED : refused ? ExitStatus.REFUSED : ExitStatus.DONE,
        json(report).put("ok", !failed && !refused),
        lines(report));
  }

  /** The report as JSON, which also has the keys of a dry run. */
  private static ObjectNode json(ConvertReport report) {
    ObjectNode object = Json.of(report);
    object.set("left_alone", object.get("skipped"));
    return object
        .put("bytes_saved", report.storageBefore() - report.storageAfter())
        .put("cross_rack_bytes", crossRackBytes(report));
  }

  private static long crossRackBytes(ConvertReport report) {
    return report.encoding().crossRackBytes() + report.relocation().crossRackBytes();
  }

  private ConvertRequest request(ProgressBars bars) {
    return new ConvertRequest(
        paths.stream().map(this::located).toList(),
        stripes.code().name(),
        stripes.perRack(),
        targetRacks == null ? OptionalInt.empty() : OptionalInt.of(targetRacks),
        placement.equals(RACKS) ? Optional.empty() : Optional.of(placement),
        parity.copies(),
        new Method(encoder, group, encode, homes),
        work.parallel(),
        work.slice(),
        work.seed(),
        bars);
  }

  private CommandResult preview(Cluster cluster) throws IOException {
    ConvertPreview preview;
    try (ProgressBars bars = new ProgressBars()) {
      preview = cluster.preview(request(bars));
    }
    boolean refused =
        preview.files() == 0 && preview.already() == 0 && !preview.leftAlone().isEmpty();
    return new CommandResult(
        refused ? ExitStatus.REFUSED : ExitStatus.DONE,
        Json.of(preview).put("ok", !refused),
        lines(preview));
  }

  private static List<String> lines(ConvertPreview preview) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "would convert %s to %s: %s, %s, %s"
            .formatted(
                Sizes.count(preview.files(), "file"),
                preview.code(),
                Sizes.count(preview.stripes(), "stripe"),
                Sizes.count(preview.dataBlocks(), "data block"),
                Sizes.count(preview.parityBlocks(), "parity block")));
    if (preview.already() > 0) {
      lines.add(Sizes.count(preview.already(), "file") + " had been converted before");
    }
    if (preview.stripes() > 0) {
      lines.add(
          "stored: %s now, %s after, of that %s new parity; %s"
              .formatted(
                  Sizes.format(preview.storageBefore()),
                  Sizes.format(preview.storageAfter()),
                  Sizes.format(preview.parityBytes()),
                  saved(preview.bytesSaved())));
      lines.add(
          "would move %s across racks, %s relocated; %s"
              .formatted(
                  Sizes.format(preview.crossRackBytes()),
                  Sizes.count(preview.relocatedBlocks(), "block"),
                  LeastTime.words(preview.seconds())));
    }
    if (preview.rollingUpgrade()) {
      lines.add(StatusText.ROLLING_UPGRADE);
    }
    skipped(preview.leftAlone(), lines);
    return lines;
  }

  private static List<String> lines(ConvertReport report) {
    List<String> lines = new ArrayList<>();
    long already = report.files().stream().filter(ConvertReport.FileResult::already).count();
    long now = report.files().size() - already;
    lines.add(
        "%s to %s in %s: %s, %s, %s"
            .formatted(
                Sizes.count(now, "file"),
                report.code(),
                Sizes.seconds(report.seconds()),
                Sizes.count(report.stripes(), "stripe"),
                Sizes.count(report.dataBlocks(), "data block"),
                Sizes.count(report.parityBlocks(), "parity block")
                    + (report.parityCopies() == 1
                        ? ""
                        : ", %d copies of each".formatted(report.parityCopies()))));
    if (already > 0) {
      lines.add(Sizes.count(already, "file") + " had been converted before");
    }
    if (report.stripes() > 0) {
      lines.add(
          "stored: %s before, %s after, %s"
              .formatted(
                  Sizes.format(report.storageBefore()),
                  Sizes.format(report.storageAfter()),
                  saved(report.storageBefore() - report.storageAfter())));
      lines.add(
          String.format(
              Locale.ROOT,
              "encoders read %s from other racks; %s; moved %s across racks, %s inside",
              Sizes.count(report.crossRackDataBlocks(), "data block"),
              Sizes.count(report.relocatedBlocks(), "block") + " relocated",
              Sizes.format(crossRackBytes(report)),
              Sizes.format(report.encoding().inRackBytes() + report.relocation().inRackBytes())));
      lines.add(planned(report.expected()));
      GroupingText.of(report.grouping()).ifPresent(lines::add);
      if (report.pipelinedStripes() > 0) {
        lines.add(Sizes.count(report.pipelinedStripes(), "stripe") + " encoded in pipelines");
      }
      lines.add(readShare(report.readShare()));
    }
    if (report.rollingUpgrade()) {
      lines.add(StatusText.ROLLING_UPGRADE);
    }
    parityLeft(report.parityLeft(), lines);
    skipped(report.skipped(), lines);
    return lines;
  }

  private static String planned(ConvertPreview.Expected expected) {
    return "planned were %s, %s across racks, %s relocated%s"
        .formatted(
            saved(expected.bytesSaved()),
            Sizes.format(expected.crossRackBytes()),
            Sizes.count(expected.relocatedBlocks(), "block"),
            expected.seconds() == null ? "" : ", at least " + Sizes.seconds(expected.seconds()));
  }

  private static String saved(long bytes) {
    return bytes < 0 ? Sizes.format(-bytes) + " more" : Sizes.format(bytes) + " saved";
  }

  private static String readShare(ReadShare share) {
    return String.format(
        Locale.ROOT,
        "the most loaded node serves %.1f%% of a file's reads (before: %.1f%%) and %.1f%% of all"
            + " reads (before: %.1f%%); an even share is %.1f%%",
        100 * share.fileAfter(),
        100 * share.fileBefore(),
        100 * share.allAfter(),
        100 * share.allBefore(),
        100 * share.even());
  }

  /** Lists the first parity files that nobody needs and that stay. */
  static void parityLeft(List<Skipped> parity, List<String> lines) {
    String why = "that nobody needs could not be deleted; braid repair tries again:";
    list(parity, "parity file", why, lines);
  }

  /** Lists the first files that were left alone. */
  static void skipped(List<Skipped> skipped, List<String> lines) {
    list(skipped, "file", "left alone:", lines);
  }

  private static void list(List<Skipped> files, String what, String why, List<String> lines) {
    if (!files.isEmpty()) {
      lines.add(Sizes.count(files.size(), what) + " " + why);
      var table = new TextTable("path", "cause", "reason");
      files.forEach(file -> table.row(file.path(), file.cause(), file.reason()));
      lines.addAll(table.lines(SHOWN_FILES));
    }
  }
}
