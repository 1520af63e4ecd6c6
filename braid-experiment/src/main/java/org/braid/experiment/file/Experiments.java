package org.braid.experiment.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Workloads;
import org.braid.experiment.text.Suggestions;

/**
 * The experiments below a directory: {@code ppr/fig7a.yaml}, or {@code ppr/fig7a.lab.yaml} where
 * another engine needs another file, is the experiment {@code ppr/fig7a}.
 */
public final class Experiments {
  /** The name of the directory. */
  public static final String DIRECTORY = "experiments";

  private static final String YAML = ".yaml";

  private final Path root;
  private final Workloads workloads;

  /**
   * A file of an experiment.
   *
   * @param experiment the experiment; empty when the file is wrong
   * @param problem the error of the file; empty for none
   */
  public record Listed(String id, Optional<Experiment> experiment, String problem) {}

  /**
   * The experiments of an engine.
   *
   * @param home the directory that has {@link #DIRECTORY}
   * @throws ExperimentException when it does not have it
   */
  public Experiments(Path home, Workloads workloads) throws ExperimentException {
    this.root = home.resolve(DIRECTORY).toAbsolutePath().normalize();
    this.workloads = workloads;
    if (!Files.isDirectory(root)) {
      throw ExperimentException.wrong(
          "no directory " + root + ": name the one that has it with --home DIR");
    }
  }

  /** The directory of all files. */
  public Path root() {
    return root;
  }

  /** All experiments of this engine, by name; also those whose file is wrong. */
  public List<Listed> all() throws ExperimentException {
    List<Listed> all = new ArrayList<>();
    for (String id : ids()) {
      try {
        YamlFile<ExperimentFile> file = read(id);
        if (ExperimentReader.engines(file).contains(workloads.engine())) {
          Experiment read = new ExperimentReader(workloads, id, root).read(file, Overrides.NONE);
          all.add(new Listed(id, Optional.of(read), ""));
        }
      } catch (ExperimentException e) {
        all.add(new Listed(id, Optional.empty(), String.valueOf(e.getMessage())));
      }
    }
    return all;
  }

  /**
   * An experiment by its name, or by its directory's where that has only one.
   *
   * @throws ExperimentException when there is none, or its file is wrong
   */
  public Experiment named(String wanted, Overrides overrides) throws ExperimentException {
    List<String> ids = ids();
    String id = wanted;
    if (!ids.contains(wanted)) {
      List<String> below = ids.stream().filter(known -> known.startsWith(wanted + "/")).toList();
      if (below.size() == 1) {
        id = below.get(0);
      } else if (below.isEmpty()) {
        throw ExperimentException.wrong(
            "no experiment \"%s\" for %s below %s%s"
                .formatted(
                    wanted,
                    workloads.engine(),
                    root,
                    Suggestions.hint(
                        wanted, ids, "./braid " + workloads.engine() + " list shows all")));
      } else {
        throw ExperimentException.wrong(
            "\"%s\" has several experiments, name one: %s"
                .formatted(wanted, String.join(", ", below)));
      }
    }
    return new ExperimentReader(workloads, id, root).read(read(id), overrides);
  }

  private YamlFile<ExperimentFile> read(String id) throws ExperimentException {
    Path own = root.resolve(id + "." + workloads.engine() + YAML);
    Path file = Files.exists(own) ? own : root.resolve(id + YAML);
    String shown = DIRECTORY + "/" + root.relativize(file).toString().replace('\\', '/');
    return YamlFile.read(file, shown, ExperimentFile.class);
  }

  private List<String> ids() throws ExperimentException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(YAML) && !name.equals(NotCompared.FILE))
          .map(name -> name.substring(0, name.length() - YAML.length()))
          .flatMap(name -> ofEngine(name).stream())
          .distinct()
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot list " + root + ": " + e.getMessage(), e);
    }
  }

  /** The experiment of a file's name without its end, unless it is another engine's. */
  private Optional<String> ofEngine(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0 || dot < name.lastIndexOf('/')) {
      return Optional.of(name);
    }
    return name.substring(dot + 1).equals(workloads.engine())
        ? Optional.of(name.substring(0, dot))
        : Optional.empty();
  }
}
