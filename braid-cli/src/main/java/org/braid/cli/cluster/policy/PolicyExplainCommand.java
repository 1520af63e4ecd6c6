package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.HdfsPath;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.Policies.Explanation;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.Verdict;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = "Says which policy takes a file, and when, or why none does.",
    footer = {"", "Example: when a file will be converted", "  braid policy explain /logs/a.gz"})
final class PolicyExplainCommand extends PolicyCommand {
  @Parameters(paramLabel = "PATH", description = "The file, as in /logs/a.gz.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  PolicyExplainCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected List<HdfsPath> paths() {
    return List.of(path);
  }

  private record Explained(
      String path,
      List<String> codes,
      @Nullable String policy,
      @Nullable String action,
      @Nullable String at,
      String sentence,
      List<Verdict.Passed> passed) {}

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    PolicyDocument document = policies.current();
    Explanation explanation = policies.explain(path.path());
    Verdict verdict = explanation.verdict();
    String sentence = sentence(explanation, document);
    List<String> lines = new ArrayList<>(List.of(sentence));
    verdict
        .passed()
        .forEach(passed -> lines.add("  not " + passed.policy() + ": " + passed.reason()));
    return new CommandResult(
        ExitStatus.DONE,
        Json.of(
                new Explained(
                    path.path(),
                    explanation.codes(),
                    verdict.policy().map(Policy::name).orElse(null),
                    verdict.action().map(Action::word).orElse(null),
                    verdict.at().map(Instant::toString).orElse(null),
                    sentence,
                    verdict.passed()))
            .put("ok", true),
        lines);
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
    if (file.verdict().at().isPresent()) {
      return "%s takes %s at %s if nobody touches it, to %s it; %s"
          .formatted(
              policy.name(),
              file.file().path(),
              file.verdict().at().get(),
              policy.action().word(),
              state);
    }
    return "%s takes %s: %s"
        .formatted(policy.name(), file.file().path(), now(policy, file, document, state));
  }

  private static String now(
      Policy policy, Explanation file, PolicyDocument document, String state) {
    boolean converted = file.encodedBlocks() == file.file().blocks();
    String wanted = policy.conversion().map(how -> how.code()).orElse("");
    if (policy.action() == Action.LEAVE) {
      return "it is left as it is; " + state;
    }
    if (policy.action() == Action.RESTORE && file.encodedBlocks() == 0) {
      return state + ", as it is to be";
    }
    if (policy.action() == Action.CONVERT && converted) {
      return file.codes().equals(List.of(wanted))
          ? state + ", as it is to be"
          : state + " and stays so: restore it first to choose " + wanted;
    }
    String what =
        policy.action() == Action.CONVERT ? "to be converted to " + wanted : "to be restored";
    return what + " by the daemon" + when(policy, document);
  }

  private static String when(Policy policy, PolicyDocument document) {
    Instant now = Instant.now();
    Pausable work = policy.action() == Action.CONVERT ? Pausable.CONVERT : Pausable.RESTORE;
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
