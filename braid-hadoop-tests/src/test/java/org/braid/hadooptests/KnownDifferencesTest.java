package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists of tests that are expected to fail with Braid, that fail by chance, and do not run. */
final class KnownDifferencesTest {
  @Test
  void lineNamesAMethodAndItsInvocations() throws Complaint {
    KnownDifferences known =
        KnownDifferences.parse(
            List.of("# a comment", "", "a.TestB#counts: It counts the plugins of a NameNode."));
    assertEquals(
        "It counts the plugins of a NameNode.", known.find("a.TestB", "counts").get().reason());
    assertTrue(known.find("a.TestB", "counts(int)/#2").isPresent());
    assertTrue(known.find("a.TestB", "counts/#1").isPresent());
    assertTrue(known.find("a.TestB", "countsMore").isEmpty());
    assertTrue(known.find("a.TestBC", "counts").isEmpty());
  }

  @Test
  void starNamesAllTestsOfAClass() throws Complaint {
    KnownDifferences known =
        KnownDifferences.parse(List.of("a.TestB#*: It looks at Hadoop's own fields."));
    assertTrue(known.find("a.TestB", "any").isPresent());
    assertTrue(known.find("a.TestC", "any").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.TestB: It counts plugins.",
        "a.TestB#counts",
        "a.TestB#counts: no.",
        "a.TestB#: It counts the plugins.",
        "a.TestB#counts: It counts the plugins"
      })
  void lineWithoutTestOrReasonIsRefused(String line) {
    Complaint complaint =
        assertThrows(Complaint.class, () -> KnownDifferences.parse(List.of(line)));
    assertEquals("not CLASS#TEST: REASON. of known differences: " + line, complaint.getMessage());
  }

  @Test
  void everyClassOfTheListsExists() throws Exception {
    List<String> names =
        TestClasses.in(HadoopClassPath.ofThisProcess().jar("hadoop-hdfs-", "-tests.jar")).names();
    for (KnownDifferences list :
        List.of(HadoopTests.known(), HadoopTests.racy(), HadoopTests.withoutResults())) {
      assertFalse(list.all().isEmpty());
      for (KnownDifferences.Known each : list.all()) {
        assertTrue(names.contains(each.name()), each.name());
      }
    }
  }
}
