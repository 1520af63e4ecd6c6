package org.braid.experiment.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Names that somebody may have meant. */
public final class Near {
  private static final int MOST = 3;

  private Near() {}

  /** How many letters are added, left out or exchanged between two words. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int exchanged = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  /** Up to three names that are alike or begin alike, nearest first. */
  static List<String> of(String wanted, Collection<String> known) {
    return known.stream()
        .filter(
            name ->
                distance(wanted, name) <= Math.max(1, Math.min(wanted.length(), name.length()) / 2)
                    || (wanted.length() > 2 && (name.contains(wanted) || wanted.contains(name))))
        .sorted(Comparator.comparingInt((String name) -> distance(wanted, name)))
        .limit(MOST)
        .toList();
  }

  /** {@code ; did you mean "x"?} where something is near, and all that is known. */
  public static String hint(String wanted, Collection<String> known) {
    List<String> near = of(wanted, known);
    String meant =
        near.isEmpty()
            ? ""
            : near.stream()
                .map(name -> '"' + name + '"')
                .collect(Collectors.joining(" or ", "; did you mean ", "?"));
    return meant + (meant.isEmpty() ? "; known: " : " known: ") + String.join(", ", known);
  }
}
