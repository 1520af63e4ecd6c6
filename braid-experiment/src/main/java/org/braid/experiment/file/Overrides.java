package org.braid.experiment.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.braid.experiment.Axis;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.WorkloadSettings;

/**
 * The settings of a command that replace those of the file.
 *
 * @param size the size to run
 * @param settings by key; of an axis, the values it is restricted to, with commas between
 * @param systems only these; all when empty
 */
public record Overrides(
    Size size,
    OptionalLong seed,
    OptionalInt repetitions,
    Map<String, String> settings,
    List<String> systems) {
  private static final SourceLocation SET = new SourceLocation("--set", 0);

  /** Words that a shell needs no quotes for. */
  private static final String PLAIN = "[A-Za-z0-9_.,:=/@%+-]+";

  /** Which size of an experiment. */
  public enum Size {
    FULL,
    QUICK
  }

  /** No overrides. */
  public static final Overrides NONE =
      new Overrides(Size.FULL, OptionalLong.empty(), OptionalInt.empty(), Map.of(), List.of());

  public Overrides {
    settings = Map.copyOf(settings);
    systems = List.copyOf(systems);
  }

  /** The options that ask for this, as a command line has them; empty for {@link #NONE}. */
  public List<String> options() {
    List<String> options = new ArrayList<>();
    if (size == Size.QUICK) {
      options.add("--quick");
    }
    seed.ifPresent(value -> options.add("--seed " + value));
    repetitions.ifPresent(value -> options.add("--repetitions " + value));
    settings.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> options.add("--set " + quoted(e.getKey() + "=" + e.getValue())));
    if (!systems.isEmpty()) {
      options.add("--systems " + quoted(String.join(",", systems)));
    }
    return options;
  }

  /** Quotes a word for a shell if it has blanks or other special characters. */
  private static String quoted(String word) {
    return word.matches(PLAIN) ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  Experiment applyTo(Experiment e) throws ExperimentException {
    Map<String, WorkloadSettings.Value> changed = new LinkedHashMap<>();
    List<Axis> axes = new ArrayList<>(e.axes());
    for (Map.Entry<String, String> entry : settings.entrySet()) {
      int axis = e.axes().stream().map(Axis::name).toList().indexOf(entry.getKey());
      if (axis >= 0) {
        axes.set(axis, restricted(entry.getKey(), entry.getValue()));
        continue;
      }
      List<String> differ =
          e.systems().stream()
              .filter(system -> system.settings().containsKey(entry.getKey()))
              .map(ComparedSystem::name)
              .toList();
      if (!differ.isEmpty()) {
        throw SET.wrong(
            "%s is what the systems of %s differ in (%s): choose among them with --systems"
                .formatted(entry.getKey(), e.id(), String.join(", ", differ)));
      }
      changed.put(entry.getKey(), new WorkloadSettings.Value(entry.getValue(), SET));
    }
    return e.with(
        seed.orElse(e.seed()),
        repetitions.orElse(e.repetitions()),
        e.settings().with(changed),
        axes,
        chosen(e));
  }

  private static Axis restricted(String name, String text) throws ExperimentException {
    Set<String> values = new LinkedHashSet<>();
    Stream.of(text.split(",")).map(String::strip).filter(v -> !v.isEmpty()).forEach(values::add);
    if (values.isEmpty()) {
      throw SET.wrong("%s has no value: write %s=VALUE".formatted(name, name));
    }
    return new Axis(name, List.copyOf(values), SET);
  }

  private List<ComparedSystem> chosen(Experiment e) throws ExperimentException {
    List<String> names = e.systems().stream().map(ComparedSystem::name).toList();
    for (String name : systems) {
      KnownNames.known(name, "system", names, new SourceLocation("--systems", 0));
    }
    return systems.isEmpty()
        ? e.systems()
        : e.systems().stream().filter(s -> systems.contains(s.name())).toList();
  }
}
