package org.braid.lab.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SiteFileTest {
  private static Map<String, String> properties(Plugins plugins, Map<String, String> others) {
    return SiteFile.properties(8 << 20, Path.of("/l/racks"), Path.of("/l/data"), plugins, others);
  }

  @Test
  void stockDaemonsLoadNothingOfBraid() {
    assertFalse(properties(Plugins.NONE, Map.of()).toString().contains("braid"));
    assertEquals(
        "org.braid.hdfs.datanode.BraidDataNodePlugin",
        properties(Plugins.BRAID, Map.of()).get("dfs.datanode.plugins"));
  }

  @Test
  void othersWin() {
    assertEquals(
        "3",
        properties(Plugins.NONE, Map.of("dfs.heartbeat.interval", "3"))
            .get("dfs.heartbeat.interval"));
  }

  @Test
  void textIsXml() {
    String text = SiteFile.text(Map.of("a", "1 < 2 & 3 > 2"));
    assertTrue(
        text.contains("<property><name>a</name><value>1 &lt; 2 &amp; 3 &gt; 2</value></property>"));
  }
}
