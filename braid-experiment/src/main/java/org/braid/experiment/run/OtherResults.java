package org.braid.experiment.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Reference;
import org.braid.experiment.Spread;

/** Looks up figures in the results of another experiment. Only its file of rows is read. */
public final class OtherResults {
  private OtherResults() {}

  /**
   * The median of the figures of a reference.
   *
   * @param directory below which results are
   * @return the median; empty when there are no complete results
   * @throws ExperimentException when the file cannot be read, or has no such measure or rows
   */
  public static OptionalDouble median(Path directory, Reference reference)
      throws ExperimentException {
    Path path = ResultsWriter.whole(directory, reference.experiment(), reference.engine());
    if (!Files.exists(path)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Spread.of(figures(CsvTable.read(path), reference)).median());
  }

  private static List<Double> figures(CsvTable table, Reference reference)
      throws ExperimentException {
    String measure = reference.measure();
    Set<String> needed = new LinkedHashSet<>(List.of(measure, Columns.SYSTEM, Columns.STATE));
    needed.addAll(reference.at().keySet());
    for (String column : needed) {
      if (!table.columns().contains(column)) {
        throw table
            .header()
            .wrong(
                "has no column \"%s\", it has %s"
                    .formatted(column, String.join(", ", table.columns())));
      }
    }
    List<Double> figures = new ArrayList<>();
    for (CsvTable.Line row : table.rows()) {
      String text = row.cell(measure);
      if (isMeant(row, reference) && !text.isEmpty()) {
        try {
          figures.add(Double.parseDouble(text) * reference.times());
        } catch (NumberFormatException e) {
          throw row.location().wrong("%s is \"%s\", not a number".formatted(measure, text));
        }
      }
    }
    if (figures.isEmpty()) {
      throw table
          .header()
          .wrong(
              "has no %s of system %s%s"
                  .formatted(
                      measure,
                      reference.system(),
                      reference.at().isEmpty() ? "" : " at " + reference.at()));
    }
    return figures;
  }

  private static boolean isMeant(CsvTable.Line row, Reference reference) {
    String failed = Row.State.FAILED.name().toLowerCase(Locale.ROOT);
    return !row.cell(Columns.STATE).equals(failed)
        && row.cell(Columns.SYSTEM).equals(reference.system())
        && reference.at().entrySet().stream()
            .allMatch(one -> row.cell(one.getKey()).equals(one.getValue()));
  }
}
