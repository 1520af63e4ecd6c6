package org.braid.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.cli.text.GroupingText;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.ErasureCode;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
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
      "Turns replicated files into erasure-coded ones in place.",
      "Files that cannot be converted are listed with the reason. When that is all that was asked"
          + " for, the exit status is 3."
    },
    footer = {
      "",
      "Example: erasure-code everything under /logs with 10 data and 4 parity blocks",
      "  braid convert -fs hdfs://namenode:8020 --code rs-10-4 /logs"
    })
final class ConvertCommand extends ClusterCommand {
  private static final int SHOWN_FILES = 20;
  private static final String RACKS = "racks";

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files or directories.")
  private List<HdfsPath> paths = new ArrayList<>();

  @Option(
      names = "--code",
      defaultValue = "rs-6-3",
      paramLabel = "CODE",
      description = "The code; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description = "Most blocks of a stripe in a rack; default: the fewest that fit.")
  private @Nullable Integer perRack;

  @Option(
      names = "--placement",
      defaultValue = RACKS,
      paramLabel = "WHICH",
      description =
          "Where blocks of a stripe may be: racks, few in each or as the code's columns want it;"
              + " even, as many at each site; code-aware, each locality group of the code at one"
              + " site. A site is what a rack's name has before its last part, as in /SITE/RACK;"
              + " default: ${DEFAULT-VALUE}.")
  private String placement = RACKS;

  @Option(
      names = "--parity-copies",
      defaultValue = "1",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Store each parity block so many times, 1 to 3, on nodes of their own, at different sites"
              + " or else in different racks: repairs find more of it nearby, for more storage;"
              + " default: ${DEFAULT-VALUE}.")
  private int parityCopies;

  @Option(
      names = "--target-racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description = "Most racks that a stripe uses, with --placement racks; default: all.")
  private @Nullable Integer targetRacks;

  @Option(
      names = "--encoder",
      defaultValue = "core-rack",
      paramLabel = "WHICH",
      description = "Which node encodes: core-rack or random; default: ${DEFAULT-VALUE}.")
  private Encoder encoder = Encoder.CORE_RACK;

  @Option(
      names = "--group",
      defaultValue = "auto",
      paramLabel = "HOW",
      description = {
        "Which blocks form a stripe: in order of their files; retroactive, by racks that their"
            + " replicas share, across files with the same readers; auto is what downloads and"
            + " relocates least without more parity. Default: ${DEFAULT-VALUE}."
      })
  private Group group = Group.AUTO;

  @Option(
      names = "--encode",
      defaultValue = "auto",
      paramLabel = "HOW",
      description = {
        "Parity: gather the data at one node; pipelined, each node adds its part on the way; auto"
            + " is what takes less time with so many stripes at once. Default: ${DEFAULT-VALUE}."
      })
  private Encode encode = Encode.AUTO;

  @Option(
      names = "--homes",
      defaultValue = "even",
      paramLabel = "HOW",
      description = {
        "Which replica of a block stays and where parity goes, of places that are as good: even,"
            + " so that nodes serve readers alike; random; or near, parity in the rack that encodes."
            + " Default: ${DEFAULT-VALUE}."
      })
  private Homes homes = Homes.EVEN;

  @Mixin private final WorkOptions work = new WorkOptions();

  ConvertCommand(Connector connector) {
    super(connector);
  }

  @Override
  List<HdfsPath> paths() {
    return paths;
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    if (!List.of(RACKS, "even", "code-aware").contains(placement)) {
      throw wrong("--placement " + placement + " is not known: racks, even or code-aware");
    }
    if (parityCopies > ConvertRequest.MAX_PARITY_COPIES) {
      throw wrong(
          "--parity-copies %d, needed are 1 to %d"
              .formatted(parityCopies, ConvertRequest.MAX_PARITY_COPIES));
    }
    ConvertReport report;
    try (Bars bars = new Bars()) {
      report =
          cluster.convert(
              new ConvertRequest(
                  paths.stream().map(HdfsPath::path).toList(),
                  code.name(),
                  perRack == null ? OptionalInt.empty() : OptionalInt.of(perRack),
                  targetRacks == null ? OptionalInt.empty() : OptionalInt.of(targetRacks),
                  placement.equals(RACKS) ? Optional.empty() : Optional.of(placement),
                  parityCopies,
                  new Method(encoder, group, encode, homes),
                  work.parallel(),
                  work.slice(),
                  work.seed(),
                  bars));
    }
    boolean refused = report.files().isEmpty() && !report.skipped().isEmpty();
    return new Outcome(
        refused ? ExitStatus.REFUSED : ExitStatus.DONE,
        Json.of(report).put("ok", !refused),
        lines(report));
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
      lines.add(Sizes.count(already, "file") + " converted before");
    }
    if (report.stripes() > 0) {
      lines.add(
          "stored: %s before, %s after"
              .formatted(
                  Sizes.format(report.storageBefore()), Sizes.format(report.storageAfter())));
      lines.add(
          String.format(
              Locale.ROOT,
              "encoders read %s from other racks; %s; %s across racks, %s inside",
              Sizes.count(report.crossRackDataBlocks(), "data block"),
              Sizes.count(report.relocatedBlocks(), "block") + " relocated",
              Sizes.format(
                  report.encoding().crossRackBytes() + report.relocation().crossRackBytes()),
              Sizes.format(report.encoding().inRackBytes() + report.relocation().inRackBytes())));
      GroupingText.of(report.grouping()).ifPresent(lines::add);
      if (report.pipelinedStripes() > 0) {
        lines.add(Sizes.count(report.pipelinedStripes(), "stripe") + " encoded in pipelines");
      }
      lines.add(readShare(report.readShare()));
    }
    skipped(report.skipped(), lines);
    return lines;
  }

  private static String readShare(ReadShare share) {
    return String.format(
        Locale.ROOT,
        "the most loaded node serves %.1f%% of a file's reads, before %.1f%%; of all reads %.1f%%,"
            + " before %.1f%%; even would be %.1f%%",
        100 * share.fileAfter(),
        100 * share.fileBefore(),
        100 * share.allAfter(),
        100 * share.allBefore(),
        100 * share.even());
  }

  /** Lists what was left alone, the first of them. */
  static void skipped(List<Skipped> skipped, List<String> lines) {
    if (skipped.isEmpty()) {
      return;
    }
    lines.add(
        "left as " + (skipped.size() == 1 ? "it was:" : "they were, " + skipped.size() + ":"));
    var table = new TextTable("path", "cause", "reason");
    skipped.stream()
        .limit(SHOWN_FILES)
        .forEach(file -> table.row(file.path(), file.cause(), file.reason()));
    lines.addAll(table.lines());
    if (skipped.size() > SHOWN_FILES) {
      lines.add("... and " + (skipped.size() - SHOWN_FILES) + " more; --json lists all");
    }
  }
}
