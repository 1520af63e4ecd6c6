package org.braid.experiment.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.WorkloadSettings.Value;

/** The differences between an experiment and the one that produced earlier results. */
public final class Changes {
  private final Results results;
  private final Experiment experiment;
  private final Map<String, String> common;

  private Changes(Results results, Experiment experiment) {
    this.results = results;
    this.experiment = experiment;
    this.common = WorkloadSettings.parse(results.conditions().settings());
  }

  /** One phrase for each change: of settings, the seed, points, systems and their settings. */
  public static List<String> since(Results results, Experiment experiment) {
    Changes changes = new Changes(results, experiment);
    List<String> phrases = new ArrayList<>(changes.settings());
    phrases.addAll(changes.seed());
    List<Map<String, String>> points = experiment.points();
    List<String> systems = experiment.systems().stream().map(ComparedSystem::name).toList();
    phrases.addAll(changes.trials(points, Row::point, Changes::text));
    phrases.addAll(changes.trials(systems, Row::system, name -> name));
    experiment.systems().forEach(system -> phrases.addAll(changes.settings(system)));
    return phrases;
  }

  private List<String> settings() {
    Map<String, Value> now = experiment.settings().values();
    return common.entrySet().stream()
        .filter(
            e -> now.containsKey(e.getKey()) && !now.get(e.getKey()).text().equals(e.getValue()))
        .map(e -> "%s was %s".formatted(e.getKey(), e.getValue()))
        .toList();
  }

  private List<String> seed() {
    boolean same =
        results.rows().stream()
            .allMatch(
                row ->
                    row.seed()
                        == TrialOrder.seed(experiment.seed(), row.point(), row.repetition()));
    return same ? List.of() : List.of("other seed");
  }

  /** Points or systems that have no trial, and those of trials that are no longer there. */
  private <T> List<String> trials(List<T> now, Function<Row, T> of, Function<T, String> text) {
    Set<T> measured =
        results.rows().stream().map(of).collect(Collectors.toCollection(LinkedHashSet::new));
    List<String> phrases = new ArrayList<>();
    // Of a partial run it is told that trials are missing.
    String missing = listed(now.stream().filter(one -> !measured.contains(one)).toList(), text);
    if (!missing.isEmpty() && results.isComplete()) {
      phrases.add("no trial of " + missing);
    }
    String gone = listed(measured.stream().filter(one -> !now.contains(one)).toList(), text);
    if (!gone.isEmpty()) {
      phrases.add("now without " + gone);
    }
    return phrases;
  }

  private static <T> String listed(List<T> all, Function<T, String> text) {
    return all.stream().map(text).collect(Collectors.joining(" and "));
  }

  private static String text(Map<String, String> point) {
    return point.entrySet().stream()
        .map(value -> value.getKey() + "=" + value.getValue())
        .collect(Collectors.joining(" "));
  }

  private List<String> settings(ComparedSystem system) {
    Map<String, String> before = results.systems().get(system.name());
    if (before == null) {
      return List.of();
    }
    Set<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(system.settings().keySet());
    List<String> phrases = new ArrayList<>();
    for (String key : keys) {
      String was = before.getOrDefault(key, common.get(key));
      Value own = system.settings().get(key);
      Value now = own != null ? own : experiment.settings().values().get(key);
      if (was != null && now != null && !Objects.equals(was, now.text())) {
        phrases.add("%s of %s was %s".formatted(key, system.name(), was));
      }
    }
    return phrases;
  }
}
