package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A name of a class says what the class is, and is the name of no other class. */
final class ClassNamesTest {
  /** A command has its group beside it, and a workload has one name on each engine. */
  private static final Set<String> SHARED =
      Set.of("JobWorkload", "ListCommand", "RepairWorkload", "StatusCommand");

  /** Words that say nothing of what a class is. */
  private static final Set<String> VAGUE =
      Set.of(
          "About",
          "Ahead",
          "As",
          "Bed",
          "Beside",
          "GivenOut",
          "GivenUp",
          "Lean",
          "Missions",
          "Needed",
          "Ran",
          "Side",
          "Sight",
          "Spots",
          "Together",
          "Walk",
          "Ways");

  /** Names of nested classes that say nothing or are the name of another class. */
  private static final Pattern VAGUE_NESTED =
      Pattern.compile(
          "(?m)^ +(?:[a-z]+ )*(?:class|enum|interface|record) (GivenUp|Limits|Progress)\\b");

  private static List<String> names() throws IOException {
    return Project.mainCode().stream()
        .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
        .filter(name -> !name.equals("package-info"))
        .toList();
  }

  @Test
  void aNameHasOneMeaning() throws IOException {
    Set<String> seen = new HashSet<>();
    Set<String> again = new TreeSet<>();
    for (String name : names()) {
      if (!seen.add(name)) {
        again.add(name);
      }
    }
    assertTrue(seen.contains("ErasureCode"), "names seen: " + seen);
    assertEquals(new TreeSet<>(SHARED), again, "names of several classes");
  }

  @Test
  void aNameIsANounOfTheField() throws IOException {
    Set<String> vague = new TreeSet<>(names());
    vague.retainAll(VAGUE);
    assertEquals(Set.of(), vague, "names that say nothing");
  }

  @Test
  void aNestedClassSaysWhatItIs() throws IOException {
    Set<String> vague = new TreeSet<>();
    for (Path file : Project.mainCode()) {
      Matcher nested = VAGUE_NESTED.matcher(Files.readString(file));
      while (nested.find()) {
        vague.add(file.getFileName() + ": " + nested.group(1));
      }
    }
    assertEquals(Set.of(), vague, "nested names that say nothing");
  }
}
