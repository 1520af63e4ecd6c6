package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.ErasureCode;
import org.braid.code.derive.PatternSample;
import org.braid.code.derive.Verification;
import org.braid.code.derive.Verification.Check;
import org.braid.code.derive.Verification.Options;
import org.braid.code.derive.Verification.PromiseResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Checks that codes survive the losses that they promise to survive. Tries all"
          + " erasure patterns, or a sample if there are too many.",
      "The exit status is 1 when a promise is broken."
    },
    footer = {
      "",
      "Example: all losses of three and of four blocks",
      "  braid codes verify rs-6-3 rs-10-4"
    })
final class CodesVerifyCommand extends BaseCommand {
  @Mixin private final CodeArguments list = new CodeArguments();

  @Option(
      names = "--limit",
      defaultValue = "200000",
      paramLabel = "N",
      description =
          "Largest number of erasure patterns tried for each promise; a promise with"
              + " more patterns is sampled; default: ${DEFAULT-VALUE}.")
  private long limit;

  @Mixin private final SeedOption seed = new SeedOption();

  @Override
  protected CommandResult perform() {
    if (limit < 1) {
      throw wrong("--limit " + limit + " checks nothing: give at least 1");
    }
    List<ErasureCode> codes = list.codes();
    List<Verification> results = new ArrayList<>();
    try (ProgressBars bars = new ProgressBars()) {
      for (ErasureCode code : codes) {
        results.add(
            Verification.of(
                code,
                new Options(limit, seed.seed()),
                (promise, done, total) -> bars.at(code.name() + ", " + promise, done, total)));
      }
    }
    boolean ok = results.stream().allMatch(Verification::holds);
    return new CommandResult(
        ok ? ExitStatus.DONE : ExitStatus.FAILED, object(results), lines(results));
  }

  private ObjectNode object(List<Verification> results) {
    ObjectNode object = Json.object();
    object.put("ok", results.stream().allMatch(Verification::holds));
    object.put("limit", limit).put("seed", seed.seed());
    ArrayNode all = object.putArray("codes");
    for (Verification result : results) {
      ObjectNode code = all.addObject().put("name", result.code()).put("ok", result.holds());
      ArrayNode promises = code.putArray("promises");
      for (PromiseResult promise : result.promises()) {
        ObjectNode node = promises.addObject().put("promise", promise.text());
        node.put("ok", promise.holds());
        node.put("patterns", promise.patterns()).put("checked", promise.checked());
        node.put("exhaustive", promise.exhaustive());
        promise
            .sample()
            .ifPresent(
                s ->
                    node.put("confidence", PatternSample.CONFIDENCE)
                        .put("fatal_share_below", s.share()));
        node.put("failed", promise.failed());
        ArrayNode failures = node.putArray("failures");
        promise.failures().forEach(lost -> lost.forEach(failures.addArray()::add));
      }
      ArrayNode checks = code.putArray("checks");
      for (Check check : result.checks()) {
        ObjectNode node = checks.addObject().put("check", check.what());
        node.put("ok", check.problem().isEmpty());
        check.problem().ifPresent(p -> node.put("problem", p));
      }
    }
    return object;
  }

  private List<String> lines(List<Verification> results) {
    var table = new TextTable("code", "holds", "what was checked", "how");
    List<String> broken = new ArrayList<>();
    for (Verification result : results) {
      for (PromiseResult promise : result.promises()) {
        table.row(result.code(), word(promise.holds()), promise.text(), how(promise));
        promise
            .failures()
            .forEach(
                lost -> broken.add(result.code() + " does not survive " + CodeText.named(lost)));
        if (promise.failed() > promise.failures().size()) {
          broken.add(
              "%s: %d of %d patterns fail"
                  .formatted(result.code(), promise.failed(), promise.checked()));
        }
      }
      for (Check check : result.checks()) {
        table.row(result.code(), word(check.problem().isEmpty()), check.what(), "-");
        check.problem().ifPresent(p -> broken.add(result.code() + ": " + p));
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(broken);
    return lines;
  }

  private static String word(boolean holds) {
    return holds ? "yes" : "NO";
  }

  private String how(PromiseResult promise) {
    if (promise.exhaustive()) {
      return "all " + promise.patterns() + " largest patterns";
    }
    String patterns =
        promise.patterns() == Long.MAX_VALUE ? "very many" : String.valueOf(promise.patterns());
    String drawn =
        "%d of %s largest patterns, drawn with seed %d"
            .formatted(promise.checked(), patterns, seed.seed());
    return drawn + promise.sample().map(s -> "; " + s.text("fail")).orElse("");
  }
}
