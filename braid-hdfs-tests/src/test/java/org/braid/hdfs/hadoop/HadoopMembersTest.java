package org.braid.hdfs.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The Hadoop among this JVM's classes has what Braid's class files use of it. Runs with each Hadoop
 * that Braid runs in.
 */
final class HadoopMembersTest {
  private static final String HADOOP = "Hadoop " + VersionInfo.getVersion();
  private static final String CALLED = "/hadoop-calls.txt";

  private static HadoopUse braid;

  @BeforeAll
  static void read() throws Exception {
    braid = HadoopUse.besides(BraidNameNodePlugin.class);
    assertTrue(braid.size() > 300, braid.size() + " classes");
  }

  @Test
  void hasTheClassesAndMembersThatBraidUses() {
    assertEquals(Set.of(), braid.missing(), "what " + HADOOP + " lacks");
  }

  @Test
  void hasTheHiddenMembersThatBraidUses() {
    HadoopInternals.check();
  }

  @Test
  void hasTheTypesThatMethodsOfTestsName() throws Exception {
    HadoopUse tests = HadoopUse.besides(HadoopMembersTest.class);
    assertEquals(Set.of(), tests.missingForJUnit(), "what " + HADOOP + " lacks");
  }

  @Test
  void expectsNoMethodThatBraidLacks() {
    assertEquals(Set.of(), braid.unimplemented(), "what " + HADOOP + " expects of Braid's classes");
  }

  /**
   * A method that Hadoop no longer has is overridden by nobody, and nobody notices: it is just not
   * called.
   */
  @Test
  void callsTheMethodsOfBraidThatOtherVersionsCall() throws Exception {
    Set<String> called = braid.overriding();
    if (Boolean.getBoolean("braid.freeze")) {
      Files.write(Path.of("src/test/resources" + CALLED), called);
    }
    var recorded = HadoopMembersTest.class.getResourceAsStream(CALLED);
    try (recorded) {
      Set<String> expected =
          new TreeSet<>(
              new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      assertEquals(
          String.join("\n", expected),
          String.join("\n", called),
          "what "
              + HADOOP
              + " calls; if Braid's methods have changed: mvn -B verify -pl braid-hdfs-tests -am"
              + " -Dtest=HadoopMembersTest -Dbraid.test.jvm=-Dbraid.freeze=true"
              + " -Dsurefire.failIfNoSpecifiedTests=false");
    }
  }
}
