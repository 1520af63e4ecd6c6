package org.braid.lab.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.experiment.ExperimentException;
import org.braid.lab.network.LabTopology.Client;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;

final class LabTopologyTest {
  private static final double MBIT = 1e6 / 8;

  @Test
  void notationGivesHostsInRacks() {
    LabTopology lab = LabTopology.parse("6x3", 2);
    assertEquals(6 * 3 + 2 + 2, lab.hosts().size());
    assertEquals("10.77.1.1", lab.host("r0n0").address());
    assertEquals("10.77.6.3", lab.host("r5n2").address());
    assertEquals(1, lab.host("c1").rack().orElseThrow());
    assertTrue(lab.host("nn").rack().isEmpty());
    assertEquals("/r5", lab.location(5));
    assertEquals("/s1/s1r0", LabTopology.parse("3x2x4", 1).location(2));
  }

  @Test
  void noTwoHostsShareAnAddress() {
    for (String notation : List.of("1x1", "6x3", "2x3x4", "200x1", "1x190")) {
      LabTopology lab = LabTopology.parse(notation, 50);
      Set<String> addresses = new HashSet<>();
      lab.hosts().forEach(host -> assertTrue(addresses.add(host.address()), host.toString()));
    }
  }

  @Test
  void fileSaysMore() throws ExperimentException {
    LabNetwork plan =
        TopologyFile.parse(
            """
            link: 100mbit
            oversubscription: 5
            sites:
              - name: paris
                link: 50mbit
                racks: [3, 2]
              - racks:
                  - {name: r7, nodes: 3, uplink: 40mbit, link: 200mbit}
            clients:
              - {rack: r7}
              - {name: far, link: 1gbit}
            """,
            "t.yaml");
    LabTopology lab = plan.topology();
    assertEquals(8, lab.topology().nodes());
    assertEquals("/paris/parisr1", lab.location(1));
    assertEquals("/s1/r7", lab.location(2));
    LinkLimits limits = plan.limits();
    assertEquals(100 * MBIT, limits.ofHost(lab.host("parisr0n0")));
    assertEquals(200 * MBIT, limits.ofHost(lab.host("r7n2")));
    assertEquals(100 * MBIT, limits.ofHost(lab.host("c0")));
    assertEquals(1000 * MBIT, limits.ofHost(lab.host("far")));
    assertTrue(Double.isInfinite(limits.ofHost(lab.host("ld"))));
    assertEquals(60 * MBIT, limits.ofRack(lab, 0), 1e-6);
    assertEquals(40 * MBIT, limits.ofRack(lab, 1), 1e-6);
    assertEquals(40 * MBIT, limits.ofRack(lab, 2));
    assertEquals(50 * MBIT, limits.ofSite(lab, 0));
    assertTrue(Double.isInfinite(limits.ofSite(lab, 1)));
  }

  @Test
  void uplinksSumTheirNodesLinks() throws ExperimentException {
    LabNetwork plan =
        TopologyFile.parse(
            "racks: [{nodes: 2, link: 30mbit}, 3]\nlink: 10mbit\noversubscription: 2", "t");
    assertEquals(30 * MBIT, plan.limits().ofRack(plan.topology(), 0), 1e-6);
    assertEquals(15 * MBIT, plan.limits().ofRack(plan.topology(), 1), 1e-6);
  }

  @Test
  void mistakesInFilesHaveTheirLine() {
    refused("racks: [3]\nlnk: 100mbit", "t:2: unknown key \"lnk\"");
    refused("link: 100mbit", "t:1: there are no racks: write racks: [3, 3]");
    refused("racks: [3]\nlink: fast", "t:2: link: \"fast\" is not a rate");
    refused("racks: [3]\nlink: 1kbit", "needs at least 1000");
    refused("racks: [0]", "\"0\": write a whole number");
    refused("racks: []", "t:1: there are no racks");
    refused("racks: [3]\noversubscription: a lot", "\"a lot\", not a number");
    refused("racks: [3]\noversubscription: 0.5", "needs a number of at least 1");
    refused("racks: [3]\noversubscription: NaN", "needs a number of at least 1");
    refused("racks: [3]\nclients: [{rack: r9}]", "there is no rack r9");
    refused("racks: [{name: Rack, nodes: 1}]", "no name for a host");
    refused("racks: [{name: nn, nodes: 1}]", "the name nn is given twice");
    refused("racks: [{name: a, nodes: 2}, {name: a, nodes: 2}]", "is named twice");
    refused("racks: [3]\nsites: [{racks: [3]}]", "racks stand beside sites");
    refused("racks: [200]", "at most 190");
    refused("racks: [100, 100, 100]", "too many for a lab");
    refused("racks: [3", "is not YAML");
    // Numbers are looked at late: what looks like one of base sixty, and is none.
    refused("\n11111111:1.", "t:2: is not YAML: Malformed numeric value");
  }

  private static void refused(String text, String reason) {
    ExperimentException e =
        assertThrows(ExperimentException.class, () -> TopologyFile.parse(text, "t"));
    assertEquals(ExperimentException.Cause.WRONG, e.cause());
    assertTrue(String.valueOf(e.getMessage()).contains(reason), e.getMessage());
  }

  @Test
  void whatIsNeitherNotationNorFileIsRefused() {
    for (String text : List.of("6x", "nowhere.yaml", "0x3", "1x2x3x4", "300x3")) {
      ExperimentException e = assertThrows(ExperimentException.class, () -> LabNetwork.of(text));
      assertEquals(ExperimentException.Cause.WRONG, e.cause());
    }
  }

  @Test
  void ratesAreOfWhatIsThere() {
    LabTopology lab = LabTopology.parse("2x2", 0);
    LinkLimits limits = LinkLimits.of(1e6, 1).with("r2", 1e6);
    assertThrows(IllegalArgumentException.class, () -> new LabNetwork(lab, limits));
    assertEquals(5e5, LinkLimits.of(1e6, 1).with("r1n0", 5e5).ofHost(lab.host("r1n0")));
  }

  @Test
  void sameTopologiesAreRecognised() {
    LabTopology lab = LabTopology.parse("2x2", 1);
    assertTrue(lab.sameAs(LabTopology.of(Topology.of(2, 2), List.of(new Client("c0", "r0")))));
    assertFalse(lab.sameAs(LabTopology.parse("2x2", 2)));
    assertFalse(lab.sameAs(LabTopology.parse("2x3", 1)));
    assertFalse(LabTopology.parse("2x1x2", 0).sameAs(LabTopology.parse("1x2x2", 0)));
  }
}
