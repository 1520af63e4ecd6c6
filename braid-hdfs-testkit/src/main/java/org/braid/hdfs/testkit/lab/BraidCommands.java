package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.Span;

/** Executes commands by Braid's coordinator. Thread-safe. */
final class BraidCommands {
  private final ClusterClients clients;

  BraidCommands(ClusterClients clients) {
    this.clients = clients;
  }

  Answer.Converted convert(Command.Convert command) throws IOException {
    try (UsedPeak peak = new UsedPeak(clients.files())) {
      ConvertReport report = clients.braid().convert(request(command));
      return new Answer.Converted(
          report.seconds(),
          stretch(report.spans(), "encode"),
          report.stripes(),
          report.dataBlocks(),
          report.crossRackDataBlocks(),
          report.relocatedBlocks(),
          report.pipelinedStripes(),
          report.encoding(),
          report.relocation(),
          report.storageBefore(),
          report.storageAfter(),
          peak.before(),
          peak.most(),
          report.skipped().stream().map(s -> s.path() + ": " + s.reason()).toList());
    }
  }

  Answer.Foreseen foresee(Command.ForeseeConversion command) throws IOException {
    ConvertPreview preview = clients.braid().preview(request(command.conversion()));
    Double seconds = preview.seconds();
    if (seconds == null) {
      throw new IOException("a throttle of 0 stops the conversion");
    }
    return new Answer.Foreseen(preview.bytesSaved(), preview.crossRackBytes(), seconds);
  }

  private static ConvertRequest request(Command.Convert command) {
    return new ConvertRequest(
        command.paths(),
        command.code(),
        optional(command.placement().perRack()),
        optional(command.placement().targetRacks()),
        optional(command.placement().sites()),
        command.placement().parityCopies(),
        command.method(),
        command.parallel(),
        command.sliceBytes(),
        command.seed(),
        Progress.SILENT);
  }

  void throttle(Command.Throttle command) throws IOException {
    clients.braid().throttle().clear();
    if (!command.limits().isEmpty()) {
      clients.braid().throttle().set(command.limits());
    }
  }

  private static final Set<String> USERS_OWN = Set.of("GONE", "CHANGED", "IN_SNAPSHOT");

  private static OptionalInt optional(int value) {
    return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static Optional<String> optional(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /** Seconds from the first start to the last end in a lane. */
  private static double stretch(List<Span> spans, String lane) {
    List<Span> those = spans.stream().filter(span -> span.lane().equals(lane)).toList();
    double first = those.stream().mapToDouble(Span::startSeconds).min().orElse(0);
    double last = those.stream().mapToDouble(Span::endSeconds).max().orElse(0);
    return last - first;
  }

  /** Mean seconds of the spans of a lane. */
  private static double mean(List<Span> spans, String lane) {
    return spans.stream()
        .filter(span -> span.lane().equals(lane))
        .mapToDouble(span -> span.endSeconds() - span.startSeconds())
        .average()
        .orElse(0);
  }

  Answer.Findings fsck(Command.Fsck command) throws IOException {
    FsckReport report = clients.braid().fsck(command.path());
    return new Answer.Findings(
        report.count(FsckReport.State.HEALTHY),
        report.count(FsckReport.State.DEGRADED),
        report.count(FsckReport.State.REPAIRABLE),
        report.files().stream()
            .filter(file -> file.state() == FsckReport.State.LOST)
            .map(file -> file.path() + ": " + file.findings())
            .toList());
  }

  Answer.Done restore(Command.Restore command) throws IOException {
    RestoreReport report = clients.braid().restore(command.path(), Progress.SILENT);
    // What users delete meanwhile, or give one replica on purpose, is theirs.
    Optional<ConvertReport.Skipped> failed =
        report.skipped().stream().filter(s -> !USERS_OWN.contains(s.cause())).findFirst();
    if (failed.isPresent()) {
      throw new IOException(failed.get().path() + " is not restored: " + failed.get().reason());
    }
    return new Answer.Done(report.seconds());
  }

  /** Predicts a repair; fails with a throttle of 0, under which a repair never ends. */
  Answer.Foreseen foresee(Command.ForeseeRepair command) throws IOException {
    RepairPreview preview = clients.braid().preview(request(command.repair()));
    Double seconds = preview.seconds();
    if (seconds == null) {
      throw new IOException("a throttle of 0 stops the repair");
    }
    return new Answer.Foreseen(0, preview.crossRackBytes(), seconds);
  }

  private static RepairRequest request(Command.Repair command) {
    RepairPolicy normal = RepairPolicy.CONFIGURED;
    RepairPolicy policy =
        new RepairPolicy(
            optional(command.scheduler()),
            optional(command.perNode()),
            optional(command.perUplink()),
            normal.delayMillis(),
            normal.timeoutMillis());
    return new RepairRequest(
        command.path(),
        command.shape(),
        command.parallel(),
        command.sliceBytes(),
        command.seed(),
        policy,
        Progress.SILENT);
  }

  Answer.Repaired repair(Command.Repair command) throws IOException {
    RepairReport report = clients.braid().repair(request(command));
    return new Answer.Repaired(
        report.seconds(),
        mean(report.spans(), "repair"),
        mean(report.spans(), "verify"),
        mean(report.spans(), "publish"),
        report.repaired().stream()
            .map(one -> new Answer.RebuiltBlock(one.path(), one.block(), one.node()))
            .toList(),
        report.phases(),
        report.traffic(),
        report.unrepairable().stream().map(one -> one.name() + ": " + one.reason()).toList());
  }
}
