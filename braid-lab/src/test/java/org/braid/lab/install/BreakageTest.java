package org.braid.lab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.braid.lab.ProgramResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a drill asks of the check is more than a status. */
final class BreakageTest {
  private static Breakage broken(String property) {
    return Breakage.ALL.stream()
        .filter(breakage -> breakage.property().equals(property))
        .findFirst()
        .orElseThrow();
  }

  private static ProgramResult check(int status, String out) {
    return new ProgramResult(status, out, "");
  }

  @Test
  void aBreakageHasToBeNamedAndToFailTheCheck() {
    Breakage plugin = broken("dfs.datanode.plugins");
    String named =
        "error: datanode r0n0: Braid's plugin is not named\n  dfs.datanode.plugins is not set";
    assertEquals("", plugin.missing(check(1, named)));
    assertEquals("the check ended with 0", plugin.missing(check(0, named)));
    assertEquals(
        "the check does not say \"Braid's plugin is not named\"",
        plugin.missing(check(1, "error: dfs.datanode.plugins")));
  }

  @Test
  void whatOnlyWarnsDoesNotFailTheCheck() {
    Breakage pinning = broken("dfs.datanode.block-pinning.enabled");
    String named = "warning: dfs.datanode.block-pinning.enabled = false: HDFS's Balancer and Mover";
    assertEquals("", pinning.missing(check(0, named)));
    assertEquals("the check ended with 1", pinning.missing(check(1, named)));
  }

  @Test
  void thereAreAtLeastTenWays() {
    assertTrue(Breakage.ALL.size() >= 10, () -> Breakage.ALL.size() + " ways");
    assertEquals(Breakage.ALL.size(), Breakage.ALL.stream().map(Breakage::what).distinct().count());
  }

  @Test
  void theStandInForHadoopLeavesOutBraid(@TempDir Path home) throws Exception {
    List<Path> jars =
        List.of(
            Path.of("/x/hadoop-common-3.5.0.jar"),
            Path.of("/x/jackson-databind-2.20.0.jar"),
            Path.of("/x/picocli-4.7.7.jar"),
            Path.of("/x/braid-hdfs-0.1.0.jar"),
            Path.of("/x/jna-5.19.1.jar"));
    StockHadoop.make(home, jars, "<configuration></configuration>", "<configuration/>");
    try (var jar = new JarFile(home.resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar").toFile())) {
      String named = jar.getManifest().getMainAttributes().getValue("Class-Path");
      assertTrue(named.contains("hadoop-common-3.5.0.jar"), named);
      assertTrue(named.contains("jackson-databind-2.20.0.jar"), named);
      assertFalse(named.contains("picocli"), named);
      assertFalse(named.contains("braid-"), named);
      assertFalse(named.contains("jna"), named);
    }
    assertTrue(Files.isExecutable(home.resolve("bin/hdfs")));
  }
}
