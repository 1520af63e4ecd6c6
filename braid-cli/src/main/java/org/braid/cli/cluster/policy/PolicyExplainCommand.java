package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.HdfsPath;
import org.braid.cli.cluster.base.LeastTime;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.Policies.Explanation;
import org.braid.hdfs.api.Policies.Standing;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Conversion;
import org.braid.hdfs.policy.FileVerdict;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = {
      "Says which policy takes a file, and when, or why none does.",
      "With --all, looks at all files and says what each policy would do; changes nothing."
    },
    footer = {
      "",
      "Example: when a file will be converted",
      "  braid policy explain /logs/a.gz",
      "Example: what the policies save, and what that costs",
      "  braid policy explain --all"
    })
final class PolicyExplainCommand extends PolicyCommand {
  private static final int SHOWN_FILES = 20;

  @Parameters(arity = "0..1", paramLabel = "PATH", description = "The file, as in /logs/a.gz.")
  private @Nullable HdfsPath path;

  @Option(
      names = "--all",
      description =
          "Say of each policy how many files it would convert or restore now and later, the bytes"
              + " saved and sent across racks, how long that takes at least, and what is left alone.")
  private boolean all;

  PolicyExplainCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected List<HdfsPath> paths() {
    return path == null ? super.paths() : List.of(path);
  }

  private record Explained(
      String path,
      List<String> codes,
      @Nullable String policy,
      @Nullable String action,
      @Nullable String at,
      String sentence,
      @Nullable String problem,
      List<FileVerdict.Passed> passed) {}

  @Override
  protected void checkArguments() {
    if (all && path != null) {
      throw wrong("--all is of all files: name no file with it");
    }
    if (!all && path == null) {
      throw wrong("name a file, or give --all for what each policy would do");
    }
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    HdfsPath one = path;
    return one == null ? previews(policies) : explained(policies, located(one));
  }

  private record Previewed(List<PolicyPreview> policies) {}

  private static CommandResult previews(Policies policies) throws IOException {
    List<PolicyPreview> previews;
    try (ProgressBars bars = new ProgressBars()) {
      previews = policies.preview(bars);
    }
    List<String> lines = new ArrayList<>();
    previews.forEach(preview -> lines(preview, lines));
    if (lines.isEmpty()) {
      lines.add("no policy is enabled");
    }
    return new CommandResult(
        ExitStatus.DONE, Json.of(new Previewed(previews)).put("ok", true), lines);
  }

  private static void lines(PolicyPreview preview, List<String> lines) {
    String code = preview.stripeCode();
    boolean converts = code != null;
    lines.add(
        "%s: would %s %s, %s%s; %d as it wants them, %d later%s"
            .formatted(
                preview.policy(),
                preview.action(),
                Sizes.count(preview.files(), "file"),
                Sizes.format(preview.bytes()),
                converts ? ", to " + code : "",
                preview.done(),
                preview.later(),
                preview.nextAt() == null ? "" : ", the first at " + preview.nextAt()));
    if (preview.otherCode() > 0) {
      lines.add(
          "  %s left in another code: braid restore first, to choose %s"
              .formatted(Sizes.count(preview.otherCode(), "file"), code));
    }
    if (preview.problem() != null) {
      lines.add("  cannot: " + preview.problem());
    }
    if (preview.waits() != null) {
      lines.add("  not now: " + preview.waits());
    }
    if (converts && preview.stripes() > 0) {
      lines.add(
          "  %s, %s of parity, %s; would move %s across racks, %s"
              .formatted(
                  Sizes.count(preview.stripes(), "stripe"),
                  Sizes.format(preview.parityBytes()),
                  preview.bytesSaved() < 0
                      ? Sizes.format(-preview.bytesSaved()) + " more"
                      : Sizes.format(preview.bytesSaved()) + " saved",
                  Sizes.format(preview.crossRackBytes()),
                  LeastTime.words(preview.seconds())));
    }
    if (!preview.leftAlone().isEmpty()) {
      lines.add("  " + Sizes.count(preview.leftAlone().size(), "file") + " left alone:");
      var table = new TextTable("path", "cause", "reason");
      preview.leftAlone().forEach(file -> table.row(file.path(), file.cause(), file.reason()));
      table.lines(SHOWN_FILES).forEach(line -> lines.add("    " + line));
    }
  }

  private static CommandResult explained(Policies policies, String path) throws IOException {
    PolicyDocument document = policies.current();
    Explanation explanation = policies.explain(path);
    FileVerdict verdict = explanation.verdict();
    String sentence = sentence(explanation, document);
    List<String> lines = new ArrayList<>(List.of(sentence));
    explanation.problem().ifPresent(problem -> lines.add("  cannot: " + problem));
    verdict
        .passed()
        .forEach(passed -> lines.add("  not " + passed.policy() + ": " + passed.reason()));
    KnownReads reads = explanation.file().reads();
    String known =
        verdict
            .policy()
            .filter(Policy::asksForReads)
            .map(policy -> reads.sentence(policy.path()))
            .orElse(reads.sentence());
    if (!document.policies().askingForReads().isEmpty()) {
      lines.add(known);
    }
    ObjectNode object =
        Json.of(
                new Explained(
                    path,
                    explanation.codes(),
                    verdict.policy().map(Policy::name).orElse(null),
                    verdict.action().map(Action::word).orElse(null),
                    verdict.at().map(Moments::begun).orElse(null),
                    sentence,
                    explanation.problem().orElse(null),
                    verdict.passed()))
            .put("ok", true);
    return new CommandResult(ExitStatus.DONE, withReads(object, reads, known), lines);
  }

  private static String sentence(Explanation file, PolicyDocument document) {
    Optional<Policy> taker = file.verdict().policy();
    String state =
        file.codes().isEmpty()
            ? "it is replicated"
            : "it is converted with " + String.join(" and ", file.codes());
    if (taker.isEmpty()) {
      return "no policy takes %s; %s".formatted(file.file().path(), state);
    }
    Policy policy = taker.get();
    if (file.problem().isPresent() && file.standing() == Standing.TO_DO) {
      // Why it cannot is said below.
      return "%s would %s %s%s%s; %s"
          .formatted(
              policy.name(),
              policy.action().word(),
              file.file().path(),
              policy.conversion().map(how -> " to " + how.stripeCode()).orElse(""),
              file.verdict()
                  .at()
                  .map(at -> " at " + Moments.begun(at) + " if nobody touches it")
                  .orElse(""),
              state);
    }
    if (file.verdict().at().isPresent()) {
      return "%s takes %s at %s if nobody touches it, to %s it; %s"
          .formatted(
              policy.name(),
              file.file().path(),
              Moments.begun(file.verdict().at().get()),
              policy.action().word(),
              state);
    }
    return "%s takes %s: %s"
        .formatted(policy.name(), file.file().path(), now(policy, file, document, state));
  }

  private static String now(
      Policy policy, Explanation file, PolicyDocument document, String state) {
    String wanted = policy.conversion().map(Conversion::stripeCode).orElse("");
    return switch (file.standing()) {
      case AS_WANTED ->
          policy.action() == Action.LEAVE
              ? "it is left as it is; " + state
              : state + ", as it is to be";
      case OTHER_CODE -> state + " and stays so: restore it first to choose " + wanted;
      case TO_DO ->
          (policy.action() == Action.CONVERT ? "to be converted to " + wanted : "to be restored")
              + " by the daemon"
              + when(policy, document);
    };
  }

  private static String when(Policy policy, PolicyDocument document) {
    Instant now = Instant.now();
    Pausable work = policy.pausable();
    String paused =
        document
            .pausedUntil(work, now)
            .map(until -> "; " + work.word() + " is paused until " + moment(until))
            .orElse("");
    return policy
            .window()
            .filter(window -> !window.contains(now))
            .map(
                window ->
                    window
                        .opening(now)
                        .map(opens -> ", not before " + opens)
                        .orElse(", whose window does not open within days"))
            .orElse("")
        + paused;
  }
}
