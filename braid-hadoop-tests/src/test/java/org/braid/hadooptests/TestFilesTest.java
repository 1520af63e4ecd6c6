package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files and the configuration that Hadoop's tests run with. */
final class TestFilesTest {
  @TempDir private Path directory;

  @Test
  void braidIsConfiguredAsItsPagesSay() throws Exception {
    TestFiles files =
        TestFiles.unpack(
            HadoopClassPath.ofThisProcess().jar("hadoop-hdfs-", "-test-sources.jar"), directory);
    Map<String, String> stock = properties(files.first(TestedHdfs.STOCK));
    Map<String, String> braid = properties(files.first(TestedHdfs.BRAID));
    assertEquals("0", stock.get("dfs.namenode.fs-limits.min-block-size"));
    assertTrue(braid.entrySet().containsAll(stock.entrySet()), braid + " and " + stock);
    braid.keySet().removeAll(stock.keySet());
    assertEquals(documented(), braid);
    assertTrue(Files.exists(files.hadoop().resolve("testHDFSConf.xml")));
    assertFalse(Files.exists(files.hadoop().resolve("org")), "sources");
  }

  /** Results with other settings are results of another build. */
  @Test
  void settingsOfBraidArePartOfItsBuild() throws Exception {
    HadoopClassPath classPath = new HadoopClassPath(List.of(), List.of(), List.of());
    byte[] before = TestFiles.settings();
    byte[] after = Arrays.copyOf(before, before.length + 1);
    assertNotEquals(
        classPath.build(TestedHdfs.BRAID, before), classPath.build(TestedHdfs.BRAID, after));
    assertEquals(classPath.build(TestedHdfs.BRAID), classPath.build(TestedHdfs.BRAID, before));
    assertEquals(
        classPath.build(TestedHdfs.STOCK, before), classPath.build(TestedHdfs.STOCK, after));
  }

  /** The table of properties of the page for operators. */
  private static Map<String, String> documented() throws IOException {
    Path page = Path.of("..", "docs", "OPERATIONS.md");
    Map<String, String> properties = new TreeMap<>();
    for (MatchResult row :
        Pattern.compile("(?m)^ +\\|[^|]*\\| `([\\w.-]+)` \\| `([\\w.]+)` \\|$")
            .matcher(Files.readString(page))
            .results()
            .toList()) {
      properties.put(row.group(1), row.group(2));
    }
    assertEquals(6, properties.size(), () -> "" + properties);
    return properties;
  }

  private static Map<String, String> properties(List<Path> first) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    for (MatchResult property :
        Pattern.compile("<name>([^<]*)</name>\\s*<value>([^<]*)</value>")
            .matcher(Files.readString(first.get(0).resolve("hdfs-site.xml")))
            .results()
            .toList()) {
      properties.put(property.group(1), property.group(2));
    }
    return properties;
  }
}
