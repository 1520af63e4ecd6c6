package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.ReadScopes;
import org.braid.hdfs.policy.audit.AuditLine;
import org.braid.hdfs.policy.audit.AuditLogReader;
import org.braid.hdfs.policy.audit.Coverage;
import org.braid.hdfs.policy.audit.LastUses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import-reads",
    description = {
      "Imports from HDFS's audit logs when files were read.",
      "Use it where dfs.namenode.accesstime.precision of the NameNode is 0, so that policies with"
          + " --unread-for and --read-within work. Import the logs of all NameNodes, without a gap:"
          + " a file counts as unread only for times of which logs were imported. What was"
          + " imported before may be imported again."
    },
    footer = {
      "",
      "Example: yesterday's logs of both NameNodes",
      "  braid policy import-reads nn1/hdfs-audit.log.1.gz nn2/hdfs-audit.log.1.gz"
    })
final class ImportReadsCommand extends PolicyCommand {
  private static final String STANDARD_INPUT = "-";

  /** Lines between two looks at how far it is. */
  private static final int LINES = 100_000;

  private static final long LEAST_GAP_MILLIS = 60_000;

  @Parameters(
      arity = "1..*",
      paramLabel = "AUDIT-LOG",
      description = "Audit logs on this machine, compressed by gzip or not; - is standard input.")
  @SuppressWarnings("NullAway.Init")
  private List<String> logs;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "The time zone of the NameNode's logs, as in Europe/Berlin; default: this machine's.")
  private @Nullable String zone;

  @Option(
      names = "--gap",
      paramLabel = "TIME",
      defaultValue = "2h",
      converter = Converters.Duration.class,
      description =
          "Longest pause between two lines of the logs. A longer one is a gap that may hide reads:"
              + " reads count as known only after it; default: ${DEFAULT-VALUE}.")
  private long gapMillis;

  @Option(
      names = "--all",
      description =
          "Follow all files, for future policies; default: the files at the paths of policies that"
              + " ask for reads.")
  private boolean all;

  @Option(names = "--dry-run", description = "Count, and change nothing.")
  private boolean dryRun;

  /** The zone of the logs. */
  private ZoneId in = ZoneOffset.UTC;

  private final Termination termination;

  ImportReadsCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected Optional<Termination> termination() {
    return dryRun ? Optional.empty() : Optional.of(termination);
  }

  private record Imported(
      long lines,
      long opens,
      long otherOpens,
      long unreadable,
      List<String> unreadableFirst,
      long files,
      long recorded,
      long current,
      long failed,
      List<String> failures,
      List<Gap> gaps,
      List<String> unknown,
      boolean dryRun) {
    static Imported of(LastUses uses, ReadImportReport report, ReadImportReport.Mode mode) {
      return new Imported(
          uses.lines(),
          uses.opens(),
          uses.others(),
          uses.unreadable(),
          uses.named(),
          report.files(),
          report.recorded(),
          report.current(),
          report.failed(),
          report.failures(),
          report.gaps().stream().map(Gap::of).toList(),
          report.unknown(),
          mode == ReadImportReport.Mode.DRY_RUN);
    }
  }

  /** A time without a log. */
  private record Gap(String from, String to) {
    static Gap of(Coverage.Span span) {
      return new Gap(moment(span.from()), moment(span.to()));
    }
  }

  @Override
  protected void checkArguments() throws IOException {
    in = zoneNamed(zone);
    if (gapMillis < LEAST_GAP_MILLIS) {
      throw wrong("--gap: at least 1m is needed, as a NameNode may write no line for a while");
    }
    for (String log : logs) {
      if (!log.equals(STANDARD_INPUT) && !Files.exists(Path.of(log))) {
        throw new NoSuchFileException(log);
      }
    }
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    Optional<String> needless = policies.reads().needlessImport();
    if (needless.isPresent()) { // logs may take hours to read
      throw new RefusedException(needless.get());
    }
    ReadScopes scopes = scopes(policies);
    LastUses uses =
        new LastUses(
            scopes,
            Duration.ofMillis(gapMillis),
            Instant.now(),
            Runtime.getRuntime().maxMemory() / 2);
    ReadImportReport.Mode mode =
        dryRun ? ReadImportReport.Mode.DRY_RUN : ReadImportReport.Mode.RECORD;
    ReadImportReport report;
    try (ProgressBars bars = new ProgressBars()) {
      shows(bars);
      for (String log : logs) {
        read(log, in, uses, bars);
      }
      if (uses.lines() == 0) {
        throw new RefusedException(
            "no line of an audit log is there"
                + (uses.named().isEmpty() ? "" : "; the first: " + uses.named().get(0)));
      }
      report = policies.importReads(uses, mode, bars);
    }
    boolean complete = report.failed() == 0;
    ObjectNode object = Json.of(Imported.of(uses, report, mode)).put("ok", complete);
    withReads(object, report.known(), report.known().sentence());
    return new CommandResult(
        complete ? ExitStatus.DONE : ExitStatus.FAILED, object, lines(uses, report));
  }

  private ReadScopes scopes(Policies policies) throws IOException {
    List<Policy> asking = policies.current().policies().askingForReads();
    if (all) {
      return ReadScopes.all();
    }
    if (asking.isEmpty()) {
      throw new RefusedException(
          "no policy asks when files were read: add it first, or follow all files with --all");
    }
    return ReadScopes.of(asking.stream().map(policy -> policy.path().toString()).toList());
  }

  private static void read(String log, ZoneId zone, LastUses uses, ProgressBars bars)
      throws IOException {
    uses.begin(log);
    try {
      if (log.equals(STANDARD_INPUT)) {
        AuditLogReader.read(System.in, zone, heard(uses, () -> {}));
        return;
      }
      try (FileInputStream in = new FileInputStream(log)) {
        FileChannel channel = in.getChannel();
        AuditLogReader.Lines lines =
            heard(uses, () -> bars.at("reading " + log, channel.position(), channel.size() + 1));
        if (log.toLowerCase(Locale.ROOT).endsWith(".gz")) {
          AuditLogReader.readCompressed(in, zone, lines);
        } else {
          AuditLogReader.read(in, zone, lines);
        }
        bars.at("reading " + log, channel.size(), channel.size());
      }
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new IOException(
          "%s cannot be read, nothing is imported: %s".formatted(log, e.getMessage()), e);
    }
  }

  /** Shows how far it is. */
  private interface Shows {
    void show() throws IOException;
  }

  private static AuditLogReader.Lines heard(LastUses uses, Shows shows) {
    return new AuditLogReader.Lines() {
      @Override
      public void line(long number, AuditLine line) {
        uses.line(number, line);
        if (uses.lines() % LINES == 0) {
          try {
            shows.show();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }

      @Override
      public void unreadable(long number, String why) {
        uses.unreadable(number, why);
      }
    };
  }

  private List<String> lines(LastUses uses, ReadImportReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %s on %s of %d, %d known already%s"
            .formatted(
                Sizes.count(uses.opens(), "read"),
                dryRun ? "would be recorded" : "recorded",
                Sizes.count(report.recorded(), "file"),
                report.files(),
                report.current(),
                dryRun ? "; nothing is changed" : ""));
    if (uses.others() > 0) {
      lines.add(
          "  %s of files that are not followed".formatted(Sizes.count(uses.others(), "read")));
    }
    if (uses.unreadable() > 0) {
      lines.add("  %s not readable:".formatted(Sizes.count(uses.unreadable(), "line")));
      uses.named().forEach(line -> lines.add("    " + line));
    }
    if (report.failed() > 0) {
      lines.add("  not recorded on %s:".formatted(Sizes.count(report.failed(), "file")));
      report.failures().forEach(failure -> lines.add("    " + failure));
      lines.add(
          "  so that nothing more is known than before: remove what HDFS refuses, such as an"
              + " attribute of each of these files, and import the same logs again");
    }
    report
        .gaps()
        .forEach(gap -> lines.add("no log of %s: reads are known anew behind it".formatted(gap)));
    report
        .unknown()
        .forEach(
            path ->
                lines.add("reads of %s are not known: import the later logs, too".formatted(path)));
    lines.add(report.known().sentence());
    return lines;
  }
}
