package org.braid.experiment.file;

import static org.braid.experiment.file.ExperimentFile.all;
import static org.braid.experiment.file.ExperimentFile.required;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.braid.experiment.Axis;
import org.braid.experiment.Claim;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Quantity;
import org.braid.experiment.Reference;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.file.ExperimentFile.ClaimEntry;
import org.braid.experiment.file.ExperimentFile.FigureEntry;
import org.braid.experiment.file.ExperimentFile.ReferenceEntry;
import org.braid.experiment.run.OtherResults;

/**
 * Reads claims and the figures of papers.
 *
 * @param names that they may use
 * @param settings that neither axes nor systems change
 * @param results the directory below which the results of other experiments are
 */
record ClaimReader(KnownNames names, WorkloadSettings settings, Path results) {
  Claim claim(ClaimEntry entry, YamlPath path) throws ExperimentException {
    String text = required(entry.claim(), path, ClaimSentence.EXAMPLE);
    Quantity quantity = names.quantity(entry, path);
    String system = names.system(entry.system(), path);
    Optional<Reference> reference = reference(entry, path.at("measured"));
    OptionalDouble paper =
        reference.isPresent()
            ? OtherResults.median(results, reference.get())
            : entry.paper() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(GoalReader.number(entry.paper(), path.at("paper")));
    GoalReader.Goal goal =
        new GoalReader(names, quantity, paper, reference, path.at("goal"))
            .parse(required(entry.goal(), path, GoalReader.EXAMPLE));
    Map<String, String> at = names.point(entry.at(), path.at("at"));
    String free = "";
    if (goal.bound() instanceof Claim.Trend trend) {
      free = trend.axis();
      if (at.containsKey(free)) {
        throw path.at("at")
            .wrong(
                "the claim follows axis %s, so it cannot be at one %s: remove it from at"
                    .formatted(free, free));
      }
    }
    names.complete(at, free, path);
    String sentence =
        ClaimSentence.of(text, goal, mentionable(quantity, system, at), path.at("claim"));
    return new Claim(
        sentence, quantity, system, at, paper, reference, goal.bound(), cause(entry, path));
  }

  /** Why the claim does not hold, as the file has it. */
  private static Optional<Claim.Cause> cause(ClaimEntry entry, YamlPath path)
      throws ExperimentException {
    String command = entry.shownBy();
    if (entry.because() == null) {
      if (command != null) {
        throw path.at("shown-by").wrong("shown-by shows nothing: write because: SENTENCE.");
      }
      return Optional.empty();
    }
    String sentence = entry.because().strip();
    if (sentence.length() < 2 || !sentence.endsWith(".") || sentence.contains("\n")) {
      throw path.at("because")
          .wrong(
              "because is no sentence on one line that ends with \".\": write one, or remove it");
    }
    if (command != null && !command.startsWith("./braid ")) {
      throw path.at("shown-by")
          .wrong(
              "\"%s\" is no command of Braid: write shown-by: ./braid sim run ear/exp2"
                  .formatted(command));
    }
    return Optional.of(new Claim.Cause(sentence, command == null ? "" : command));
  }

  /**
   * The texts that the sentence of a claim may contain: its point, its systems and their settings.
   */
  private List<String> mentionable(Quantity quantity, String system, Map<String, String> at) {
    List<String> texts = new ArrayList<>(at.values());
    texts.addAll(quantity.against().at().values());
    settings.values().values().forEach(value -> texts.add(value.text()));
    for (ComparedSystem one : names.systems()) {
      if (one.name().equals(system) || one.name().equals(quantity.against().system())) {
        texts.add(one.label());
        one.settings().values().forEach(value -> texts.add(value.text()));
      }
    }
    return texts;
  }

  private static Optional<Reference> reference(ClaimEntry claim, YamlPath path)
      throws ExperimentException {
    ReferenceEntry entry = claim.measured();
    if (entry == null) {
      return Optional.empty();
    }
    if (claim.paper() != null) {
      throw path.wrong("the claim has a paper's figure and a measured one: remove one");
    }
    double times = entry.times() == null ? 1 : GoalReader.number(entry.times(), path.at("times"));
    if (!(times > 0)) {
      throw path.at("times").wrong("times is not above 0: it turns one unit into another");
    }
    return Optional.of(
        new Reference(
            required(entry.experiment(), path, "experiment: ear/exp2"),
            required(entry.engine(), path, "engine: lab"),
            required(entry.system(), path, "system: ear"),
            all(entry.at()),
            required(entry.measure(), path, "measure: encode_seconds"),
            times));
  }

  List<PaperFigure> figures(FigureEntry entry, YamlPath path) throws ExperimentException {
    Quantity quantity = names.quantity(entry, path);
    String system = names.system(entry.system(), path);
    Map<String, String> at = names.point(entry.at(), path.at("at"));
    if (entry.along() == null) {
      names.complete(at, "", path);
      String value = required(entry.value(), path, "value: 0.59");
      return List.of(
          new PaperFigure(quantity, system, at, GoalReader.number(value, path.at("value"))));
    }
    Axis axis = names.axis(entry.along(), path.at("along"));
    names.complete(at, axis.name(), path);
    String example = "values: {%s: 0.5}".formatted(axis.values().get(0));
    List<PaperFigure> figures = new ArrayList<>();
    for (Map.Entry<String, String> value : required(entry.values(), path, example).entrySet()) {
      YamlPath here = path.at("values").at(value.getKey());
      Map<String, String> point = new HashMap<>(at);
      point.put(axis.name(), KnownNames.axisValue(axis, value.getKey(), here));
      double number = GoalReader.number(value.getValue(), here);
      figures.add(new PaperFigure(quantity, system, point, number));
    }
    return figures;
  }
}
