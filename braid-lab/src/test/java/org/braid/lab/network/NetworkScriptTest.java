package org.braid.lab.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class NetworkScriptTest {
  private static final double MBIT = 1e6 / 8;
  private static final LabTopology FLAT = LabTopology.parse("2x2", 1);
  private static final LabTopology SITES = LabTopology.parse("2x2x1", 0);

  @Test
  void hostsHangOnTheirRacksAndRacksOnTheCore() {
    String script = new NetworkScript(FLAT).setUp();
    // nn, ld, c0, r0n0, r0n1, r1n0, r1n1
    assertTrue(script.contains("link add name p3 type veth peer name eth0 netns r0n0\n"), script);
    assertTrue(script.contains("link set dev p0 master core\n"));
    assertTrue(script.contains("link set dev p2 master rack0\n"));
    assertTrue(script.contains("link set dev p6 master rack1\n"));
    assertTrue(script.contains("link set dev u1 master rack1\n"));
    assertTrue(script.contains("link set dev k1 master core\n"));
    assertTrue(script.contains("addr add 10.77.2.2/16 dev eth0\n"));
    assertFalse(script.contains("site"));
  }

  @Test
  void racksHangOnTheirSites() {
    String script = new NetworkScript(SITES).setUp();
    assertTrue(script.contains("link set dev k0 master site0\n"));
    assertTrue(script.contains("link set dev k3 master site1\n"));
    assertTrue(script.contains("link set dev s1 master site1\n"));
    assertTrue(script.contains("link set dev w1 master core\n"));
  }

  @Test
  void everyDeviceIsMadeOnceAndNamedAsTheKernelAllows() {
    for (LabTopology lab : List.of(FLAT, SITES, LabTopology.parse("6x3", 3))) {
      Set<String> made = new HashSet<>();
      Matcher names =
          Pattern.compile("(?:add name|peer name) (\\S+)").matcher(new NetworkScript(lab).setUp());
      while (names.find()) {
        String name = names.group(1);
        assertTrue(name.length() <= 15, name);
        assertTrue(name.equals("eth0") || made.add(name), name);
      }
    }
  }

  @Test
  void bothEndsOfEachLinkAreLimited() {
    LinkLimits limits = LinkLimits.of(100 * MBIT, 10);
    String script = new NetworkScript(FLAT).limit(limits);
    String node = "root tbf rate 100000000bit burst 131072 latency 100ms";
    String rack = "root tbf rate 20000000bit burst 131072 latency 100ms";
    assertTrue(script.contains("qdisc replace dev p3 " + node + "\n"), script);
    assertTrue(script.contains("tc -n r0n0 qdisc replace dev eth0 " + node + "\n"));
    assertTrue(script.contains("qdisc replace dev u1 " + rack + "\n"));
    assertTrue(script.contains("qdisc replace dev k1 " + rack + "\n"));
    // The NameNode and the loader.
    assertTrue(script.contains("qdisc replace dev p0 root noqueue\n"));
    assertTrue(script.contains("tc -n ld qdisc replace dev eth0 root noqueue\n"));
    assertEquals(2 * FLAT.hosts().size() + 4, script.split("qdisc replace", -1).length - 1);
  }

  @Test
  void sitesAreLimitedByTheirLinks() {
    LinkLimits limits = LinkLimits.NONE.withSite(50 * MBIT).with("s1", 30 * MBIT);
    String script = new NetworkScript(SITES).limit(limits);
    assertTrue(script.contains("qdisc replace dev s0 root tbf rate 50000000bit"), script);
    assertTrue(script.contains("qdisc replace dev w1 root tbf rate 30000000bit"));
    assertTrue(script.contains("qdisc replace dev u0 root noqueue"));
  }

  @Test
  void withoutLimitsNothingIsLimited() {
    assertFalse(new NetworkScript(SITES).limit(LinkLimits.NONE).contains("tbf"));
  }
}
