package org.braid.experiment.file;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.file.GoalReader.Goal;

/**
 * The sentence of a claim. The words of the goal replace {@code {goal}} in the file, so that the
 * sentence states the judged bound and no other figure.
 */
final class ClaimSentence {
  static final String EXAMPLE = "claim: PPR takes {goal} time than star.";

  private static final String GOAL = "{goal}";
  private static final String END = ".";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:,[0-9]{3})*(?:\\.[0-9]+)?");
  private static final Pattern OVERSUBSCRIPTION = Pattern.compile("(?<=[0-9]):1(?![0-9])");
  private static final Pattern FIGURE =
      Pattern.compile("%|\\b(times|twice|half|thirds?|quarters?|fifths?|double|percent)\\b");

  private ClaimSentence() {}

  /**
   * Returns the complete sentence.
   *
   * @param text the text in the file
   * @param names texts whose numbers the sentence may name, such as the settings of the claim
   * @throws ExperimentException when it lacks the goal or has another figure
   */
  static String of(String text, Goal goal, Collection<String> names, YamlPath path)
      throws ExperimentException {
    int at = text.indexOf(GOAL);
    if (at < 0 || text.indexOf(GOAL, at + 1) > 0 || !text.endsWith(END)) {
      throw path.wrong(
          "claim \"%s\" is no sentence that ends with \"%s\" and has its goal once: write %s"
              .formatted(text, END, EXAMPLE));
    }
    String rest = text.replace(GOAL, "");
    Set<String> known = new HashSet<>();
    names.forEach(name -> known.addAll(numbers(name)));
    for (String number : numbers(rest)) {
      if (!known.contains(number)) {
        throw path.wrong(
            "claim \"%s\" has the number %s, which is no setting of what it is about: figures stand"
                    .formatted(text, number)
                + " in its goal");
      }
    }
    if (FIGURE.matcher(rest).find()) {
      throw path.wrong(
          "claim \"%s\" has a figure beside its goal: write %s".formatted(text, EXAMPLE));
    }
    String said = text.substring(0, text.length() - END.length());
    return said.replace(GOAL, goal.words()) + goal.tolerance() + END;
  }

  private static Set<String> numbers(String text) {
    String plain = OVERSUBSCRIPTION.matcher(text).replaceAll("");
    Set<String> numbers = new HashSet<>();
    NUMBER
        .matcher(plain)
        .results()
        .map(MatchResult::group)
        .forEach(number -> numbers.add(number.replace(",", "")));
    return numbers;
  }
}
