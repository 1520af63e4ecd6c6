package org.braid.hadooptests;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tests that are listed, each with its reason: they look inside Hadoop's own classes, and so tell
 * Braid from them, or they fail by chance, or they do not run. A line is {@code CLASS#TEST:
 * REASON.}; {@code *} as the test stands for all of the class.
 */
final class KnownDifferences {
  /** No test is listed. */
  static final KnownDifferences NONE = new KnownDifferences(List.of());

  private final List<Known> known;

  private KnownDifferences(List<Known> known) {
    this.known = known;
  }

  /**
   * A test that is listed.
   *
   * @param name of the class
   * @param test its name, or that of all invocations of a method, or *
   * @param reason in one sentence
   */
  record Known(String name, String test, String reason) {
    boolean matches(String otherName, String otherTest) {
      return name.equals(otherName)
          && (test.equals("*")
              || test.equals(otherTest)
              || otherTest.startsWith(test + "/")
              || otherTest.startsWith(test + "("));
    }
  }

  static KnownDifferences parse(List<String> lines) throws Complaint {
    List<Known> known = new ArrayList<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int hash = line.indexOf('#');
      int colon = line.indexOf(": ");
      if (hash < 1 || colon < hash + 2 || !line.endsWith(".") || line.length() < colon + 12) {
        throw new Complaint("not CLASS#TEST: REASON. of known differences: " + line);
      }
      known.add(
          new Known(
              line.substring(0, hash), line.substring(hash + 1, colon), line.substring(colon + 2)));
    }
    return new KnownDifferences(known);
  }

  List<Known> all() {
    return known;
  }

  Optional<Known> find(String name, String test) {
    return known.stream().filter(each -> each.matches(name, test)).findFirst();
  }
}
