package org.braid.hdfs.coordinator.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.view.Amounts;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.api.view.CheckReport.Finding;
import org.braid.hdfs.api.view.CheckReport.Severity;
import org.braid.hdfs.coordinator.check.DaemonFacts.Role;
import org.braid.hdfs.coordinator.policy.PolicyFit;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.rpc.Heartbeats;
import org.braid.hdfs.rpc.Release;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.braid.hdfs.stripe.StripeCode;
import org.braid.placement.PlacementException;
import org.braid.placement.rule.StripeRules;

/**
 * Finds what keeps conversion and repair from working: first on this host and at the NameNodes,
 * then at the DataNodes, then of the cluster as a whole.
 */
final class ClusterCheck {
  /** The classes are named and not referred to: a command does not load plugins. */
  static final String NAME_NODE_PLUGIN = "org.braid.hdfs.namenode.BraidNameNodePlugin";

  static final String POLICY = "org.braid.hdfs.namenode.BraidPlacementPolicy";
  static final String DATA_NODE_PLUGIN = "org.braid.hdfs.datanode.BraidDataNodePlugin";

  private static final String NAME_NODE_PLUGINS = DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY;
  private static final String DATA_NODE_PLUGINS = "dfs.datanode.plugins";
  private static final String REPLICATOR = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;
  private static final String PINNING = DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED;
  private static final String ORDERED_SNAPSHOTS = "dfs.namenode.snapshot.deletion.ordered";
  private static final String ATTRIBUTES = "dfs.namenode.xattrs.enabled";

  /** The least replicas that HDFS accepts, and those that it waits for in safe mode. */
  private static final List<String> LEAST_REPLICAS =
      List.of(
          DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
          DFSConfigKeys.DFS_NAMENODE_SAFEMODE_REPLICATION_MIN_KEY);

  private static final String TOPOLOGY = "net.topology.script.file.name";
  private static final String CLUSTER = "cluster";
  private static final String HERE = "this host";

  /** The programs that read the configuration of this host. */
  private static final Set<Setting.Reader> READ_HERE =
      EnumSet.of(Setting.Reader.COMMAND, Setting.Reader.CLIENT, Setting.Reader.ALL);

  /** Block tokens and Kerberos tickets fail at clocks that are further apart. */
  private static final long SKEW_MILLIS = 60_000;

  /** The oldest Java that the plugins run on. */
  private static final int LEAST_JAVA = 17;

  private final ClusterFacts facts;
  private final List<Finding> findings = new ArrayList<>();

  private ClusterCheck(ClusterFacts facts) {
    this.facts = facts;
  }

  static CheckReport of(ClusterFacts facts) {
    ClusterCheck check = new ClusterCheck(facts);
    check.properties(HERE, Settings.findings(facts.conf(), READ_HERE));
    facts.daemons().forEach(check::daemon);
    check.agreement();
    if (facts.active()) {
      check.cluster();
    } else if (ClusterFacts.reached(facts.daemons())) {
      check.standby();
    }
    return new CheckReport(
        check.findings, facts.daemons().size() - check.dataNodes(), check.dataNodes());
  }

  private int dataNodes() {
    return (int) facts.daemons().stream().filter(d -> d.role() == Role.DATA_NODE).count();
  }

  private void daemon(DaemonFacts daemon) {
    boolean nameNode = daemon.role() == Role.NAME_NODE;
    if (!daemon.unreached().isEmpty()) {
      add(
          facts.active() ? Severity.WARNING : Severity.ERROR, // a standby is missed at a failover
          daemon.name(),
          "it cannot be reached: " + daemon.unreached(),
          "start it; if it runs, let this host connect to it, and see that -fs or fs.defaultFS"
              + " names its RPC address");
    } else if (daemon.conf().isEmpty()) {
      add(
          Severity.WARNING,
          daemon.name(),
          "its configuration cannot be read: " + daemon.confFailure(),
          "open its web port to this host, and run this as an administrator of the cluster");
    }
    plugin(
        daemon,
        nameNode ? NAME_NODE_PLUGINS : DATA_NODE_PLUGINS,
        nameNode ? NAME_NODE_PLUGIN : DATA_NODE_PLUGIN);
    daemon
        .conf()
        .ifPresent(
            conf -> {
              if (nameNode) {
                replicator(daemon, conf);
                snapshots(daemon, conf);
                attributes(daemon, conf);
                singles(daemon, conf);
              } else {
                pinning(daemon, conf);
              }
              properties(daemon.name(), Settings.findings(conf));
            });
    if (daemon.java().filter(java -> feature(java) < LEAST_JAVA).isPresent()) {
      add(
          Severity.ERROR,
          daemon.name(),
          "it runs on Java %s, Braid's plugin needs %d".formatted(daemon.java().get(), LEAST_JAVA),
          "start it with a JDK %d or newer (JAVA_HOME in hadoop-env.sh)".formatted(LEAST_JAVA));
    }
    version(daemon);
    if (daemon.kernel().filter(kernel -> !kernel.startsWith("isal")).isPresent()) {
      add(
          Severity.WARNING,
          daemon.name(),
          "it computes with the kernel " + daemon.kernel().get() + ", which is slow",
          "install ISA-L (libisal2) and restart the DataNode");
    }
    if (Math.abs(daemon.skewMillis().orElse(0)) > SKEW_MILLIS) {
      add(
          Severity.WARNING,
          daemon.name(),
          "its clock differs from this host's by %d s"
              .formatted(daemon.skewMillis().getAsLong() / 1000),
          "set the clocks by NTP: block tokens and tickets fail");
    }
  }

  /** 8 of {@code 1.8}, 17 of {@code 17}. */
  private static int feature(String java) {
    String number = java.replaceFirst("^1\\.", "").replaceFirst("[^0-9].*", "");
    return number.isEmpty() ? LEAST_JAVA : Integer.parseInt(number);
  }

  private void version(DaemonFacts daemon) {
    String own = Release.version();
    Optional<String> other = daemon.version().filter(version -> !version.equals(own));
    if (other.isPresent()) {
      add(
          Severity.WARNING,
          daemon.name(),
          "its plugin %s, this program is %s"
              .formatted(
                  other.get().isEmpty()
                      ? "does not tell its version and is older"
                      : "is of version " + other.get(),
                  own),
          "install the same version everywhere and restart the daemon");
    }
  }

  private void plugin(DaemonFacts daemon, String property, String plugin) {
    boolean named = daemon.conf().map(conf -> names(conf, property).contains(plugin)).orElse(true);
    if (!named) {
      Configuration conf = daemon.conf().get();
      String present = conf.getTrimmed(property, "");
      add(
          Severity.ERROR,
          daemon,
          conf,
          property,
          "Braid's plugin is not named",
          "set it to %s%s and restart the daemon"
              .formatted(present.isEmpty() ? "" : present + ",", plugin));
    } else if (daemon.pluginFailure().contains("is not authorized for protocol")) {
      add(
          Severity.ERROR,
          daemon.name(),
          "it does not let this user call Braid: " + daemon.pluginFailure(),
          "name the user in security.braid.protocol.acl of hadoop-policy.xml there; then hdfs"
              + " dfsadmin -refreshServiceAcl, or restart the DataNode");
    } else if (!daemon.pluginFailure().isEmpty()) {
      add(
          Severity.ERROR,
          daemon.name(),
          "Braid does not run there: " + daemon.pluginFailure(),
          "its log has a line \"Braid does not run in this\" with the reason; restart the daemon"
              + " if it was configured since its start");
    }
  }

  private static List<String> names(Configuration conf, String property) {
    return Arrays.asList(conf.getTrimmedStrings(property));
  }

  private void replicator(DaemonFacts daemon, Configuration conf) {
    if (!conf.getTrimmed(REPLICATOR, "").equals(POLICY)) {
      add(
          Severity.ERROR,
          daemon,
          conf,
          REPLICATOR,
          "HDFS places and deletes replicas without knowing stripes",
          "set it to " + POLICY + " and restart the NameNode");
    }
  }

  private void snapshots(DaemonFacts daemon, Configuration conf) {
    if (conf.getBoolean(ORDERED_SNAPSHOTS, false)) {
      add(
          Severity.ERROR,
          daemon,
          conf,
          ORDERED_SNAPSHOTS,
          "HDFS deletes snapshots by itself, also what lost blocks are to be rebuilt from: nothing"
              + " is converted",
          "set it to false and restart the NameNode");
    }
  }

  private void attributes(DaemonFacts daemon, Configuration conf) {
    if (!conf.getBoolean(ATTRIBUTES, true)) {
      add(
          Severity.ERROR,
          daemon,
          conf,
          ATTRIBUTES,
          "HDFS refuses the attributes that describe stripes: nothing is converted, and blocks that"
              + " are rebuilt elsewhere are not entered",
          "set it to true and restart the NameNode");
    }
  }

  private void singles(DaemonFacts daemon, Configuration conf) {
    for (String least : LEAST_REPLICAS) {
      if (conf.getInt(least, 1) > 1) {
        add(
            Severity.ERROR,
            daemon,
            conf,
            least,
            "HDFS refuses files of one replica, or does not leave safe mode after a start while"
                + " there are any: nothing is converted for good",
            "set it to 1 and restart the NameNode");
      }
    }
  }

  private void pinning(DaemonFacts daemon, Configuration conf) {
    if (!conf.getBoolean(PINNING, false)) {
      add(
          Severity.WARNING,
          daemon,
          conf,
          PINNING,
          "HDFS's Balancer and Mover try again and again to move blocks of stripes",
          "set it to true and restart the DataNode");
    }
  }

  private void properties(String host, List<Settings.Finding> wrong) {
    for (Settings.Finding finding : wrong) {
      findings.add(
          new Finding(
              finding.unknown() ? Severity.WARNING : Severity.ERROR,
              host,
              finding.property(),
              finding.value(),
              finding.source(),
              finding.problem(),
              finding.remedy()));
    }
  }

  /** Properties that must be the same everywhere. */
  private void agreement() {
    Map<String, Set<String>> ports = new TreeMap<>();
    for (DaemonFacts daemon : facts.daemons()) {
      daemon
          .conf()
          .map(conf -> conf.getTrimmed(Heartbeats.PORT_KEY, "0"))
          .ifPresent(port -> ports.computeIfAbsent(port, p -> new TreeSet<>()).add(daemon.name()));
    }
    if (ports.size() > 1) {
      findings.add(
          new Finding(
              Severity.WARNING,
              CLUSTER,
              Heartbeats.PORT_KEY,
              String.join(", ", ports.keySet()),
              "",
              "daemons have different values, so that heartbeats do not arrive: " + ports,
              "set the same value everywhere"));
    }
  }

  /** Only the active NameNode reports DataNodes and stripes. */
  private void standby() {
    List<DaemonFacts> nameNodes =
        facts.daemons().stream().filter(daemon -> daemon.role() == Role.NAME_NODE).toList();
    if (nameNodes.size() > 1) {
      add(
          Severity.ERROR,
          CLUSTER,
          "no NameNode is active: those that answer are standbys or observers",
          "hdfs haadmin -getAllServiceState tells what they are; where one of them cannot be reached"
              + " from here, it may be the active one");
      return;
    }
    DaemonFacts standby = nameNodes.get(0);
    add(
        Severity.ERROR,
        standby.name(),
        "it is a standby or an observer: the active NameNode alone tells of DataNodes and stripes",
        ActiveNameNode.instead(standby.address(), facts.conf(), standby.conf()));
  }

  private void cluster() {
    if (facts.safeMode()) {
      add(
          Severity.ERROR,
          CLUSTER,
          "the NameNode is in safe mode: nothing can be changed",
          "wait until it leaves; hdfs dfsadmin -safemode get says whether it has");
    }
    for (String problem : facts.work().problems()) {
      add(Severity.WARNING, CLUSTER, problem, "mend that, and check again");
    }
    for (String dead : facts.dead()) {
      add(Severity.WARNING, dead, "the NameNode takes it for dead", "start it, or take it out");
    }
    if (dataNodes() == 0) {
      add(Severity.ERROR, CLUSTER, "no DataNode is live", "start DataNodes");
      return;
    }
    if (facts.nodes().racks() == 1) {
      findings.add(
          new Finding(
              Severity.WARNING,
              CLUSTER,
              TOPOLOGY,
              "",
              "",
              "all DataNodes are in one rack: the loss of a rack loses data",
              "tell the NameNode the racks, if there are several"));
    }
    facts.codes().forEach(this::code);
    policies();
    facts.work().stripes().forEach(this::used);
    if (!facts.coordinated()) {
      add(
          Severity.WARNING,
          CLUSTER,
          "no coordinator runs: nobody rebuilds lost blocks, and clients without Braid get errors",
          "run braid daemon, or enable braid-daemon.service");
    }
  }

  private void code(ErasureCode code) {
    try {
      StripeRules.on(code, OptionalInt.empty(), facts.nodes());
    } catch (PlacementException e) {
      add(
          Severity.ERROR,
          CLUSTER,
          "%s does not fit: %s".formatted(code.name(), e.getMessage()),
          "use another code, or add DataNodes or racks");
    }
  }

  private void policies() {
    for (Policy policy : facts.work().policies().policies()) {
      PolicyFit.problem(policy, facts.nodes())
          .ifPresent(
              problem ->
                  add(
                      Severity.ERROR,
                      CLUSTER,
                      problem,
                      "give it another code, disable it, or add DataNodes or racks"));
    }
    for (String problem : facts.work().policies().tooFine(facts.work().reads())) {
      add(
          Severity.WARNING,
          CLUSTER,
          problem,
          "remove the policy and add it with greater times, or make the precision finer");
    }
  }

  /**
   * Warns when a code in use no longer fits the live nodes, by the usual rule: stripes with more
   * blocks a rack have their own rule in their description.
   */
  private void used(String name, long stripes) {
    try {
      StripeRules.on(StripeCode.named(name), OptionalInt.empty(), facts.nodes());
    } catch (PlacementException e) {
      add(
          Severity.WARNING,
          CLUSTER,
          "%s of %s: the code does not fit what is live: %s"
              .formatted(Amounts.count(stripes, "stripe"), name, e.getMessage()),
          "add DataNodes or racks, or start those that are dead: what is lost of these stripes may"
              + " find no place");
    } catch (IllegalArgumentException e) {
      add(
          Severity.WARNING,
          CLUSTER,
          "%s of %s: this program does not know the code".formatted(stripes, name),
          "use a program of the version that wrote them, or a newer one");
    }
  }

  private void add(Severity severity, String host, String problem, String remedy) {
    findings.add(new Finding(severity, host, "", "", "", problem, remedy));
  }

  private void add(
      Severity severity,
      DaemonFacts daemon,
      Configuration conf,
      String property,
      String problem,
      String remedy) {
    Optional<String> value = Optional.ofNullable(conf.getTrimmed(property));
    findings.add(
        new Finding(
            severity,
            daemon.name(),
            property,
            value.orElse(""),
            value.isEmpty() ? "" : Settings.source(conf, property),
            problem,
            remedy));
  }
}
