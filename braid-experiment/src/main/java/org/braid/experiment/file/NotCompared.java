package org.braid.experiment.file;

import static org.braid.experiment.file.ExperimentFile.all;
import static org.braid.experiment.file.ExperimentFile.required;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.experiment.ExperimentException;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a paper that no experiment is compared with.
 *
 * @param figures the paper and its figures
 * @param why the reason in one sentence
 */
public record NotCompared(String figures, String why) {
  /** The name of their file, beside the directories of experiments. */
  static final String FILE = "not-compared.yaml";

  /** The file. */
  record Content(@Nullable List<Item> figures) {}

  /** An item of it. */
  record Item(@Nullable String figures, @Nullable String why) {}

  /**
   * Reads the file; nothing when there is none.
   *
   * @param home the directory that has the experiments
   * @throws ExperimentException when the file is wrong
   */
  public static List<NotCompared> read(Path home) throws ExperimentException {
    Path path = home.resolve(Experiments.DIRECTORY).resolve(FILE);
    if (!Files.exists(path)) {
      return List.of();
    }
    YamlFile<Content> file = YamlFile.read(path, Experiments.DIRECTORY + "/" + FILE, Content.class);
    YamlPath root = file.root().at("figures");
    List<NotCompared> read = new ArrayList<>();
    for (Item item : all(file.value().figures())) {
      YamlPath here = root.at(read.size());
      String why = required(item.why(), here, "why: They are drawings.").strip();
      if (why.length() < 2 || !why.endsWith(".") || why.contains("\n")) {
        throw here.at("why").wrong("why is no sentence on one line that ends with \".\"");
      }
      read.add(new NotCompared(required(item.figures(), here, "figures: PPR, fig. 1"), why));
    }
    return read;
  }
}
