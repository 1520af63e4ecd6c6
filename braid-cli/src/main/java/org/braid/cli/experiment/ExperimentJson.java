package org.braid.cli.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.braid.cli.text.Json;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.judge.Verdict;
import org.braid.experiment.judge.Verdict.Held;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.Row;

/** The result of a run as JSON. */
final class ExperimentJson {
  private ExperimentJson() {}

  static ObjectNode of(Findings findings) {
    Results results = findings.results();
    ObjectNode object =
        Json.object()
            .put("ok", findings.ok())
            .put("experiment", results.id())
            .put("engine", results.engine())
            .put("seed", findings.experiment().seed())
            .put("repetitions", findings.experiment().repetitions())
            .put("complete", results.isComplete())
            .put("shortfall", results.shortfall())
            .put("conclusion", findings.conclusion())
            .put("command", findings.command());
    object.putObject("machine").setAll(Json.of(results.conditions()));
    ArrayNode rows = object.putArray("rows");
    results.rows().forEach(row -> rows.add(row(row)));
    ArrayNode claims = object.putArray("claims");
    findings.verdicts().forEach(verdict -> claims.add(claim(verdict)));
    return object;
  }

  private static ObjectNode row(Row row) {
    ObjectNode object = Json.object();
    row.point().forEach(object::put);
    object
        .put("system", row.system())
        .put("repetition", row.repetition())
        .put("seed", row.seed())
        .put("state", row.state().name().toLowerCase(Locale.ROOT));
    row.figures().forEach(object::put);
    return object
        .put("attempts", row.attempts())
        .put("note", row.note())
        .put("date", row.date())
        .put("took", row.took())
        .put("load1m", row.load());
  }

  static ObjectNode claim(Verdict verdict) {
    ObjectNode object = Json.object().put("claim", verdict.claim().text());
    verdict
        .claim()
        .paper()
        .ifPresentOrElse(p -> object.put("paper", p), () -> object.putNull("paper"));
    verdict.claim().reference().ifPresent(r -> object.put("measured", r.origin()));
    verdict.ours().ifPresentOrElse(o -> object.put("ours", o), () -> object.putNull("ours"));
    if (verdict.held() == Held.NOT_RUN) {
      object.putNull("held");
    } else {
      object.put("held", verdict.held() == Held.HELD);
    }
    return object.put("goal", verdict.claim().bound().text()).put("note", verdict.note());
  }
}
