package org.braid.lab.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class YarnSiteTest {
  private static final Map<String, String> SITE = YarnSite.properties(6, Path.of("/l/yarn.args"));

  /**
   * The class path of a container is in the file of options, before which nothing else names one.
   */
  @Test
  void containersStartWithTheOptionsOfTheLab() {
    for (String key :
        new String[] {
          "mapreduce.map.java.opts",
          "mapreduce.reduce.java.opts",
          "yarn.app.mapreduce.am.command-opts"
        }) {
      assertTrue(SITE.get(key).endsWith(" @/l/yarn.args"), key);
    }
  }

  @Test
  void containersFitIntoTheirHost() {
    int host = number("yarn.nodemanager.resource.memory-mb");
    int task = number("mapreduce.map.memory.mb");
    assertTrue(number("yarn.app.mapreduce.am.resource.mb") + 3 * task <= host);
    assertEquals(task, number("mapreduce.reduce.memory.mb"));
    assertTrue(number("yarn.scheduler.minimum-allocation-mb") <= task);
  }

  private static int number(String key) {
    return Integer.parseInt(SITE.get(key));
  }

  @Test
  void tasksWaitLongerForTheirHostWhereMoreHostsAsk() {
    assertEquals("24", SITE.get("yarn.scheduler.capacity.node-locality-delay"));
    assertEquals(
        "80",
        YarnSite.properties(20, Path.of("/a")).get("yarn.scheduler.capacity.node-locality-delay"));
  }

  /** Daemons read plain HDFS; only jobs read through Braid's client. */
  @Test
  void braidsClientIsThatOfJobs() {
    assertFalse(SITE.containsKey("fs.hdfs.impl"));
    assertEquals("org.braid.hdfs.client.BraidFileSystem", YarnSite.ofJobs().get("fs.hdfs.impl"));
  }

  @Test
  void nodeManagersOfOneMachineShareNoDirectory() {
    Map<String, String> one = YarnSite.ofHost("r0n0", Path.of("/d"));
    Map<String, String> other = YarnSite.ofHost("r0n1", Path.of("/d"));
    one.forEach((key, value) -> assertFalse(value.equals(other.get(key)), key));
  }
}
