package org.braid.hdfs.coordinator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.api.view.CheckReport.Finding;
import org.braid.hdfs.api.view.CheckReport.Severity;
import org.braid.hdfs.coordinator.check.DaemonFacts.Role;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.Release;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;

final class ClusterCheckTest {
  private static final String SITE = "hdfs-site.xml";

  private final Configuration here = new Configuration(false);
  private final Configuration nameNode = new Configuration(false);
  private final Configuration dataNode = new Configuration(false);
  private final List<String> dead = new ArrayList<>();
  private final List<ErasureCode> codes = new ArrayList<>();
  private List<String> nameNodes = List.of("namenode nn:8020");
  private Optional<Configuration> readable = Optional.of(dataNode);
  private String nameNodePlugin = "";
  private String unreached = "";
  private boolean nameNodeReadable = true;
  private String dataNodePlugin = "";
  private String kernel = "isal (libisal.so.2)";
  private long skew;
  private boolean active = true;
  private boolean safeMode;
  private boolean coordinated = true;
  private int racks = 4;
  private Optional<String> version = Optional.of(Release.version());
  private String java = "21";
  private PolicySet policies = PolicySet.NONE;
  private KnownReads reads = KnownReads.HDFS;
  private final Map<String, Long> stripes = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  ClusterCheckTest() {
    nameNode.set("dfs.namenode.plugins", ClusterCheck.NAME_NODE_PLUGIN, SITE);
    nameNode.set("dfs.block.replicator.classname", ClusterCheck.POLICY, SITE);
    dataNode.set("dfs.datanode.plugins", "x.Other, " + ClusterCheck.DATA_NODE_PLUGIN, SITE);
    dataNode.set("dfs.datanode.block-pinning.enabled", "true", SITE);
  }

  private CheckReport check() {
    Topology.Builder topology = Topology.builder();
    for (int node = 0; node < 8; node++) {
      topology.add("n" + node, "/r" + node % racks, "/");
    }
    return ClusterCheck.of(
        new ClusterFacts(
            here,
            daemons(
                new DaemonFacts(
                    Role.DATA_NODE,
                    "datanode d",
                    readable,
                    readable.isPresent() ? "" : "http://d:9864: Connection refused",
                    "",
                    dataNodePlugin,
                    version,
                    Optional.of(java),
                    dataNodePlugin.isEmpty() ? Optional.of(kernel) : Optional.empty(),
                    OptionalLong.of(skew))),
            dead,
            active,
            safeMode,
            coordinated,
            EligibleNodes.all(topology.build()),
            codes,
            new ClusterFacts.Work(policies, reads, stripes, problems)));
  }

  private List<DaemonFacts> daemons(DaemonFacts data) {
    List<DaemonFacts> all = new ArrayList<>();
    for (String name : nameNodes) {
      all.add(
          new DaemonFacts(
              Role.NAME_NODE,
              name,
              Optional.of(nameNode).filter(conf -> nameNodeReadable),
              nameNodeReadable ? "" : "http://nn:9870: Connection refused",
              unreached,
              nameNodePlugin,
              Optional.of(Release.version()),
              Optional.of("17"),
              Optional.empty(),
              OptionalLong.of(0)));
    }
    all.add(data);
    return all;
  }

  private Finding only(Severity severity) {
    CheckReport report = check();
    assertEquals(1, report.findings().size(), report.toString());
    Finding finding = report.findings().get(0);
    assertEquals(severity, finding.severity());
    assertEquals(severity == Severity.WARNING, report.ok());
    assertFalse(finding.remedy().isEmpty());
    return finding;
  }

  @Test
  void aWholeInstallationHasNoFindings() {
    codes.add(Codes.named("rs-6-2"));
    CheckReport report = check();
    assertEquals(List.of(), report.findings());
    assertTrue(report.ok());
    assertEquals(1, report.nameNodes());
    assertEquals(1, report.dataNodes());
  }

  @Test
  void aPluginThatIsNotNamedIsFoundWithWhatIsNamedInstead() {
    dataNode.set("dfs.datanode.plugins", "x.Other", SITE);
    dataNodePlugin = "its plugin is not started";
    Finding finding = only(Severity.ERROR);
    assertEquals("datanode d", finding.host());
    assertEquals("dfs.datanode.plugins", finding.property());
    assertEquals("x.Other", finding.value());
    assertEquals(SITE, finding.source());
    assertTrue(
        finding.remedy().startsWith("set it to x.Other," + ClusterCheck.DATA_NODE_PLUGIN),
        finding.remedy());
  }

  @Test
  void aPropertyThatIsNotSetHasNoValueAndNoSource() {
    nameNode.unset("dfs.namenode.plugins");
    Finding finding = only(Severity.ERROR);
    assertEquals("dfs.namenode.plugins", finding.property());
    assertEquals("", finding.value() + finding.source());
  }

  @Test
  void aPluginThatIsNamedAndDoesNotRunIsFound() {
    nameNodePlugin = "its plugin is not started";
    Finding finding = only(Severity.ERROR);
    assertEquals("namenode nn:8020", finding.host());
    assertEquals("Braid does not run there: its plugin is not started", finding.problem());
  }

  @Test
  void theReplicatorClassIsNeededBesideThePlugin() {
    nameNode.unset("dfs.block.replicator.classname");
    assertEquals("dfs.block.replicator.classname", only(Severity.ERROR).property());
  }

  @Test
  void snapshotsThatHdfsDeletesByItselfAreFound() {
    nameNode.set("dfs.namenode.snapshot.deletion.ordered", "true", SITE);
    Finding finding = only(Severity.ERROR);
    assertEquals("dfs.namenode.snapshot.deletion.ordered", finding.property());
    assertEquals("true", finding.value());
  }

  @Test
  void aNameNodeThatRefusesAttributesIsFound() {
    nameNode.set("dfs.namenode.xattrs.enabled", "true", SITE);
    assertEquals(List.of(), check().findings());
    nameNode.set("dfs.namenode.xattrs.enabled", "false", SITE);
    Finding finding = only(Severity.ERROR);
    assertEquals("dfs.namenode.xattrs.enabled", finding.property());
    assertEquals("false", finding.value());
  }

  @Test
  void filesOfOneReplicaHaveToBeEnoughForHdfs() {
    for (String least :
        List.of("dfs.namenode.replication.min", "dfs.namenode.safemode.replication.min")) {
      nameNode.set(least, "2", SITE);
      Finding finding = only(Severity.ERROR);
      assertEquals(least, finding.property());
      assertEquals("2", finding.value());
      nameNode.set(least, "1", SITE);
    }
  }

  @Test
  void pinningAndTheKernelMatterLess() {
    dataNode.set("dfs.datanode.block-pinning.enabled", "false", SITE);
    assertEquals("dfs.datanode.block-pinning.enabled", only(Severity.WARNING).property());
    dataNode.set("dfs.datanode.block-pinning.enabled", "true", SITE);
    kernel = "scalar";
    assertTrue(only(Severity.WARNING).remedy().contains("libisal2"));
  }

  @Test
  void malformedAndUnknownPropertiesAreFound() {
    dataNode.set("braid.worker.memory", "64 MB", SITE);
    Finding malformed = only(Severity.ERROR);
    assertEquals("braid.worker.memory", malformed.property());
    assertEquals("64 MB", malformed.value());
    assertEquals(SITE, malformed.source());
    dataNode.unset("braid.worker.memory");
    dataNode.set("braid.worker.memroy", "64m", SITE);
    assertEquals("did you mean braid.worker.memory?", only(Severity.WARNING).remedy());
  }

  @Test
  void valuesThatADaemonOrACommandOfThisHostWouldRefuseAreFound() {
    here.set("braid.repair.scheduler", "nonsense", SITE);
    Finding finding = only(Severity.ERROR);
    assertEquals("this host", finding.host());
    assertEquals("braid.repair.scheduler", finding.property());
    assertEquals("nonsense", finding.value());
    assertEquals(SITE, finding.source());
    assertEquals("it is out of range: needed is one of arrival, mppr, together", finding.problem());
    here.unset("braid.repair.scheduler");
    here.set("braid.worker.memory", "0", SITE); // nobody here reads it
    assertEquals(List.of(), check().findings());
    dataNode.set("braid.worker.memory", "0", SITE);
    assertEquals("datanode d", only(Severity.ERROR).host());
  }

  @Test
  void heartbeatsToAnotherPortAreFound() {
    dataNode.set("braid.heartbeat.port", "9999", SITE);
    Finding finding = only(Severity.WARNING);
    assertEquals("braid.heartbeat.port", finding.property());
    assertTrue(finding.problem().contains("9999=[datanode d]"), finding.problem());
  }

  @Test
  void whatCannotBeReadIsSaidAndTheRestIsChecked() {
    readable = Optional.empty();
    assertTrue(only(Severity.WARNING).problem().endsWith("http://d:9864: Connection refused"));
    dataNodePlugin = "no answer within 5000 ms";
    assertFalse(check().ok());
  }

  @Test
  void ofANameNodeThatCannotBeReachedThatAloneIsSaid() {
    unreached = "nn:8020: Connection refused";
    active = false;
    nameNodeReadable = false;
    racks = 1;
    coordinated = false;
    codes.add(Codes.named("rs-10-4"));
    Finding finding = only(Severity.ERROR);
    assertEquals("namenode nn:8020", finding.host());
    assertEquals("it cannot be reached: nn:8020: Connection refused", finding.problem());
    assertTrue(finding.remedy().startsWith("start it"), finding.remedy());
    nameNodeReadable = true; // its web server answers
    assertEquals("namenode nn:8020", only(Severity.ERROR).host());
    nameNode.unset("dfs.namenode.plugins");
    assertEquals(
        List.of("it cannot be reached: nn:8020: Connection refused", "Braid's plugin is not named"),
        check().findings().stream().map(Finding::problem).toList());
  }

  /** Conversion and repair work with the active one. */
  @Test
  void aStandbyThatCannotBeReachedIsNoError() {
    unreached = "nn:8020: Connection refused";
    Finding finding = only(Severity.WARNING);
    assertEquals("it cannot be reached: nn:8020: Connection refused", finding.problem());
  }

  private static void pair(Configuration conf, String service, String one, String other) {
    conf.set("dfs.nameservices", service, SITE);
    conf.set("dfs.ha.namenodes." + service, "a,b", SITE);
    conf.set("dfs.namenode.rpc-address." + service + ".a", one, SITE);
    conf.set("dfs.namenode.rpc-address." + service + ".b", other, SITE);
  }

  @Test
  void ofAStandbyAloneIsSaidWhatToNameInstead() {
    active = false;
    racks = 1; // of which a standby is not asked
    coordinated = false;
    Finding finding = only(Severity.ERROR);
    assertEquals("namenode nn:8020", finding.host());
    assertEquals(
        "it is a standby or an observer: the active NameNode alone tells of DataNodes and stripes",
        finding.problem());
    assertTrue(
        finding.remedy().startsWith("name the active NameNode by -fs or fs.defaultFS, or the name"),
        finding.remedy());
    pair(nameNode, "theirs", "nn:8020", "nn2:8020");
    assertEquals(
        "name the active NameNode: -fs hdfs://nn2:8020; or set dfs.nameservices,"
            + " dfs.ha.namenodes.theirs and dfs.namenode.rpc-address.theirs.* here as they are there,"
            + " and name both: -fs hdfs://theirs",
        only(Severity.ERROR).remedy());
    pair(here, "known", "nn:8020", "nn2:8020");
    assertEquals(
        "name both NameNodes: -fs hdfs://known, or set fs.defaultFS to hdfs://known",
        only(Severity.ERROR).remedy());
  }

  @Test
  void ofNameNodesThatAreAllStandbysThatIsSaid() {
    active = false;
    coordinated = false;
    nameNodes = List.of("namenode nn:8020", "namenode nn2:8020");
    Finding finding = only(Severity.ERROR);
    assertEquals("cluster", finding.host());
    assertTrue(finding.problem().startsWith("no NameNode is active"), finding.problem());
  }

  @Test
  void aClockThatIsOffIsFound() {
    skew = -90_000;
    assertTrue(only(Severity.WARNING).problem().contains("-90 s"));
  }

  @Test
  void theClusterIsCheckedAsAWhole() {
    safeMode = true;
    assertTrue(only(Severity.ERROR).problem().contains("safe mode"));
    safeMode = false;
    coordinated = false;
    assertTrue(only(Severity.WARNING).problem().startsWith("no coordinator runs"));
    coordinated = true;
    dead.add("datanode e");
    assertEquals("datanode e", only(Severity.WARNING).host());
    dead.clear();
    racks = 1;
    assertTrue(only(Severity.WARNING).problem().contains("in one rack"));
  }

  @Test
  void aCodeThatDoesNotFitOrDoesNotSurviveARackIsFound() {
    codes.add(Codes.named("rs-10-4"));
    Finding large = only(Severity.ERROR);
    assertTrue(large.problem().startsWith("rs-10-4 does not fit: "), large.problem());
    codes.clear();
    codes.add(Codes.named("rs-6-1"));
    Finding weak = only(Severity.ERROR);
    assertTrue(weak.problem().startsWith("rs-6-1 does not fit: "), weak.problem());
  }

  @Test
  void aDaemonOfAnotherVersionIsNamed() {
    assertTrue(Release.version().matches("[0-9].*"), Release.version());
    version = Optional.of("0.0.1");
    Finding finding = only(Severity.WARNING);
    assertEquals("datanode d", finding.host());
    assertEquals(
        "its plugin is of version 0.0.1, this program is " + Release.version(), finding.problem());
    version = Optional.of("");
    assertEquals(
        "its plugin does not tell its version and is older, this program is " + Release.version(),
        only(Severity.WARNING).problem());
    version = Optional.empty(); // as of a standby
    assertEquals(List.of(), check().findings());
  }

  @Test
  void aJavaThatIsTooOldIsNamed() {
    for (String old : List.of("1.8", "11")) {
      java = old;
      Finding finding = only(Severity.ERROR);
      assertEquals("datanode d", finding.host());
      assertEquals("it runs on Java " + old + ", Braid's plugin needs 17", finding.problem());
    }
    java = "17";
    assertEquals(List.of(), check().findings());
  }

  private static Policy cold(String code, String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("path", "/a");
    settings.put("code", code);
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return Policy.of("cold", true, Action.CONVERT, settings);
  }

  @Test
  void aPolicyWhoseCodeCanNeverHoldIsFound() {
    policies = new PolicySet(List.of(cold("rs-6-2")));
    assertEquals(List.of(), check().findings());
    policies = new PolicySet(List.of(cold("rs-10-4")));
    String problem = only(Severity.ERROR).problem();
    assertTrue(problem.startsWith("policy cold converts nothing: rs-10-4 does not fit: "), problem);
    policies = new PolicySet(List.of(cold("rs-10-4").disable()));
    assertEquals(List.of(), check().findings());
    policies = new PolicySet(List.of(cold("rs-6-2", "target-racks", "3")));
    problem = only(Severity.ERROR).problem();
    assertTrue(problem.startsWith("policy cold converts nothing: rs-6-2 does not fit: "), problem);
    policies = new PolicySet(List.of(cold("rs-6-2", "parity-copies", "2")));
    problem = only(Severity.ERROR).problem();
    assertTrue(problem.startsWith("policy cold converts nothing: "), problem);
  }

  @Test
  void aPolicyWithAgesBelowThePrecisionOfReadsIsFound() {
    policies = new PolicySet(List.of(cold("rs-6-2", "unread-for", "6s")));
    reads = KnownReads.fromAccessTimes(Duration.ofSeconds(15));
    String problem = only(Severity.WARNING).problem();
    assertTrue(problem.startsWith("policy cold: unread-for 6s means nothing"), problem);
  }

  @Test
  void stripesWhoseCodeDoesNotFitAreFound() {
    stripes.put("rs-6-2", 7L);
    assertEquals(List.of(), check().findings());
    stripes.put("rs-4-2, parity x2", 7L);
    assertEquals(List.of(), check().findings());
    stripes.put("rs-10-4", 3L);
    String problem = only(Severity.WARNING).problem();
    assertTrue(
        problem.startsWith("3 stripes of rs-10-4: the code does not fit what is live: "), problem);
    stripes.clear();
    stripes.put("fish-1-2", 1L);
    assertTrue(only(Severity.WARNING).problem().contains("does not know the code"));
  }

  @Test
  void whatCannotBeReadOfPoliciesIsAFinding() {
    problems.add("policies: the policies cannot be used");
    assertEquals("policies: the policies cannot be used", only(Severity.WARNING).problem());
  }

  @Test
  void nameNodesComeFirst() {
    dataNode.unset("dfs.datanode.plugins");
    nameNode.unset("dfs.namenode.plugins");
    safeMode = true;
    assertEquals(
        List.of("namenode nn:8020", "datanode d", "cluster"),
        check().findings().stream().map(Finding::host).toList());
  }

  @Test
  void aUserWhomTheServiceAclDoesNotNameIsToldSo() {
    nameNodePlugin =
        "User ops@EXAMPLE.COM (auth:KERBEROS) is not authorized for protocol interface"
            + " org.braid.hdfs.rpc.BraidNameNodePB";
    CheckReport report = check();
    assertFalse(report.ok());
    Finding finding = report.findings().get(0);
    assertEquals("it does not let this user call Braid: " + nameNodePlugin, finding.problem());
    assertTrue(
        finding.remedy().startsWith("name the user in security.braid.protocol.acl"),
        finding.remedy());
  }
}
