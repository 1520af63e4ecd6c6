package org.braid.experiment.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Known names that are like an unknown one, for messages. */
public final class Suggestions {
  private static final int MOST = 3;
  private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

  private Suggestions() {}

  /** Up to three names that are alike or contain each other, nearest first. */
  public static List<String> near(String wanted, Collection<String> known) {
    return known.stream()
        .filter(
            name ->
                DISTANCE.apply(wanted, name)
                        <= Math.max(1, Math.min(wanted.length(), name.length()) / 2)
                    || (wanted.length() > 2 && (name.contains(wanted) || wanted.contains(name))))
        .sorted(Comparator.comparing((String name) -> DISTANCE.apply(wanted, name)))
        .limit(MOST)
        .toList();
  }

  /** {@code ; did you mean "x"?} of names that are alike, or nothing when there are none. */
  public static String meant(List<String> near) {
    return near.isEmpty()
        ? ""
        : near.stream()
            .map(name -> '"' + name + '"')
            .collect(Collectors.joining(" or ", "; did you mean ", "?"));
  }

  /** The same, with all known names. */
  public static String hint(String wanted, Collection<String> known) {
    return hint(wanted, known, "known: " + String.join(", ", known));
  }

  /** The same of names that are too many for a line, and {@code where} they stand. */
  public static String hint(String wanted, Collection<String> known, String where) {
    String meant = meant(near(wanted, known));
    return meant + (meant.isEmpty() ? "; " : " ") + where;
  }
}
