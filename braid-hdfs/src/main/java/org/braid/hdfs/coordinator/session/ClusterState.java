package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.SeenNodesProto;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.NodesDigest;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/**
 * A snapshot of the DataNodes: their state in the NameNode, and whether their workers answer. A
 * node that does not answer is suspect, also while the NameNode counts it as live.
 */
public final class ClusterState implements HdfsJob.Nodes {
  /** Two of HDFS's heartbeats, each three seconds after the one before by default. */
  private static final long MOMENT_MILLIS = 6000;

  private static final PingRequestProto WITH_CACHE =
      PingRequestProto.newBuilder().setWithCache(true).build();

  /** How many nodes a message names. */
  private static final int NAMED = 5;

  private final List<Datanode> nodes;
  private final Map<String, Worker> answers;

  /** By node, whether its worker answers. */
  private final boolean[] answering;

  private final Topology topology;
  private final CoordinationProto coordination;
  private final Mode mode;
  private final Map<String, String> unreached;
  private final Set<String> late;

  /**
   * The mode of a NameNode.
   *
   * @param safe whether it is in safe mode
   * @param rollingUpgrade whether a rolling upgrade is not finalised
   */
  public record Mode(boolean safe, boolean rollingUpgrade) {}

  /**
   * Creates a snapshot.
   *
   * @param known the DataNodes
   * @param asked the answers of the workers
   * @param coordination who works on the cluster
   * @param mode the mode of the NameNode
   */
  public ClusterState(
      List<Datanode> known, Workers.Answers asked, CoordinationProto coordination, Mode mode) {
    // The same order at each look, so that a seed means the same.
    nodes =
        known.stream()
            .sorted(Comparator.comparing(Datanode::rack).thenComparing(Datanode::host))
            .toList();
    this.coordination = coordination;
    this.mode = mode;
    this.answers = asked.reached();
    this.unreached = asked.unreached();
    this.late = asked.late();
    Topology.Builder builder = Topology.builder();
    nodes.forEach(n -> NetworkLocations.add(builder, n.uuid(), n.rack()));
    topology = builder.build();
    answering = new boolean[nodes.size()];
    for (int i = 0; i < answering.length; i++) {
      answering[i] = answers.containsKey(nodes.get(i).uuid());
    }
  }

  /** Asks workers. */
  private interface Question {
    Workers.Answers ask(List<Datanode> nodes) throws IOException;
  }

  /** Looks at the cluster. */
  public static ClusterState take(NameNodeCalls nameNode, Workers workers) throws IOException {
    return take(nameNode, workers::ping);
  }

  /** Looks at the cluster and at the blocks that workers cache. */
  public static ClusterState withCaches(NameNodeCalls nameNode, Workers workers)
      throws IOException {
    return take(nameNode, nodes -> workers.ping(nodes, WITH_CACHE));
  }

  /** Looks at the cluster and gives workers several times the usual time to answer. */
  public static ClusterState patiently(NameNodeCalls nameNode, Workers workers) throws IOException {
    return take(nameNode, nodes -> workers.pingPatiently(nodes, WITH_CACHE));
  }

  private static ClusterState take(NameNodeCalls nameNode, Question question) throws IOException {
    ClusterResponseProto cluster = nameNode.cluster();
    List<Datanode> nodes = new ArrayList<>();
    cluster.getDatanodesList().forEach(node -> nodes.add(StatusCodec.of(node)));
    // Suspect ones are asked, too: one that has come back answers before the NameNode trusts it.
    List<Datanode> live = nodes.stream().filter(Datanode::live).toList();
    return new ClusterState(
        nodes,
        question.ask(live),
        cluster.getCoordination(),
        new Mode(cluster.getSafeMode(), cluster.getRollingUpgrade()));
  }

  /** Who works on the cluster, and who waits. */
  public CoordinationProto coordination() {
    return coordination;
  }

  /** Whether the NameNode is in safe mode and refuses changes. */
  public boolean safeMode() {
    return mode.safe();
  }

  /**
   * Whether a rolling upgrade of HDFS is not finalised, so that DataNodes keep deleted replicas,
   * which still take storage.
   */
  public boolean rollingUpgrade() {
    return mode.rollingUpgrade();
  }

  /** Whether a node's DataNode answers, but runs without Braid's plugin. */
  public boolean lacksPlugin(int index) {
    String why = unreached.get(nodes.get(index).uuid());
    return why != null && Rpc.isUnknownProtocol(why);
  }

  /** Whether any node runs without Braid's plugin. */
  public boolean hasPlain() {
    return IntStream.range(0, nodes.size()).anyMatch(this::lacksPlugin);
  }

  /** Why a node's worker does not answer. */
  public String silence(int index) {
    Datanode node = nodes.get(index);
    return !node.live()
        ? "does not answer"
        : lacksPlugin(index)
            ? "runs without Braid's plugin"
            : node.suspect() ? "suspect: silent" : "does not answer";
  }

  public Topology topology() {
    return topology;
  }

  public Datanode node(int index) {
    return nodes.get(index);
  }

  public List<Datanode> nodes() {
    return nodes;
  }

  @Override
  public String name(int index) {
    return nodes.get(index).host();
  }

  public OptionalInt indexOf(String uuid) {
    return topology.indexOf(uuid);
  }

  /** The worker's answer; absent for a suspect node. */
  public PingResponseProto answer(int index) {
    return worker(index)
        .orElseThrow(() -> new IllegalStateException(name(index) + " did not answer"))
        .answer();
  }

  @Override
  public Optional<Worker> worker(int index) {
    return Optional.ofNullable(answers.get(nodes.get(index).uuid()));
  }

  /** Whether a node may be read from. */
  public boolean answers(int index) {
    return answering[index];
  }

  /**
   * Whether a node that the NameNode counts as live does not answer; nodes without Braid's plugin
   * never answer.
   */
  public boolean hasSilent() {
    return IntStream.range(0, nodes.size()).anyMatch(this::isSilent);
  }

  private boolean isSilent(int index) {
    return nodes.get(index).live() && !answers(index) && !lacksPlugin(index);
  }

  /**
   * The UUIDs of nodes whose workers did not answer in time although the NameNode receives their
   * heartbeats: they may be busy, or hang.
   */
  public List<String> late() {
    return nodes.stream()
        .filter(node -> !node.suspect())
        .map(Datanode::uuid)
        .filter(late::contains)
        .toList();
  }

  /**
   * Whether a node does not answer although its last heartbeat is recent; nodes without Braid's
   * plugin never answer.
   */
  public boolean isSilentForAMoment(int index) {
    return isSilent(index) && nodes.get(index).heartbeatAgeMillis() < MOMENT_MILLIS;
  }

  /** The UUIDs of all nodes that are silent for a moment. */
  public List<String> silentForAMoment() {
    return IntStream.range(0, nodes.size())
        .filter(this::isSilentForAMoment)
        .mapToObj(index -> nodes.get(index).uuid())
        .toList();
  }

  /**
   * For messages: the nodes that the NameNode counts as live and that do not answer; empty for
   * none.
   */
  public String silentNodes() {
    List<String> silent =
        IntStream.range(0, nodes.size()).filter(this::isSilent).mapToObj(this::name).toList();
    return silent.isEmpty()
        ? ""
        : "; believed in by the NameNode but silent: "
            + String.join(", ", silent.subList(0, Math.min(NAMED, silent.size())))
            + (silent.size() > NAMED ? " and %d more".formatted(silent.size() - NAMED) : "");
  }

  /** Whether a node is neither decommissioned nor in maintenance, nor on the way there. */
  public boolean isInService(int index) {
    return nodes.get(index).inService();
  }

  /**
   * Number of replicas of a block, not known to be bad, at nodes that are not in service, answering
   * or not.
   */
  public int outOfService(BlockStatus block) {
    int count = 0;
    for (Replica replica : block.replicas()) {
      OptionalInt index = indexOf(replica.node());
      count += !replica.corrupt() && index.isPresent() && !isInService(index.getAsInt()) ? 1 : 0;
    }
    return count;
  }

  /** Whether a node may get blocks: its worker answers and it is in service. */
  public boolean eligible(int index) {
    return answers(index) && nodes.get(index).inService();
  }

  /** The nodes that may get blocks. */
  public EligibleNodes eligible() {
    return EligibleNodes.of(topology, this::eligible);
  }

  /** For the log: nodes that may get no block of a stripe, and why. */
  public String unfit(StripeStatus stripe) {
    Map<String, String> why = new TreeMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Datanode node = nodes.get(i);
      String state =
          !node.live()
              ? "dead"
              : !answers(i) ? "silent" : !node.inService() ? "not in service" : "";
      StringBuilder text = new StringBuilder(state);
      for (MemberStatus member : stripe.members()) {
        BlockStatus block = member.status();
        block.replicas().stream()
            .filter(replica -> replica.node().equals(node.uuid()))
            .forEach(
                replica ->
                    text.append(" blk_")
                        .append(block.block().id())
                        .append(replica.live() ? "" : " not live")
                        .append(replica.corrupt() ? " corrupt" : ""));
        if (block.going().contains(node.uuid())) {
          text.append(" blk_").append(block.block().id()).append(" going");
        }
      }
      if (!text.isEmpty()) {
        why.put(node.host(), text.toString().trim());
      }
    }
    return why.toString();
  }

  /** Whether a node may get blocks of some bytes on the storage that they need. */
  public boolean eligible(int index, long bytes, StorageNeed need) {
    return eligible(index) && need.takes(nodes.get(index), bytes);
  }

  /** The nodes that answer and have a good replica of a block, ascending. */
  public int[] readable(BlockStatus block) {
    return holders(block, this::answers);
  }

  /** By node, the blocks of which a good replica can be read there now. */
  public Map<Integer, List<BlockIdentity>> readable(List<BlockStatus> blocks) {
    Map<Integer, List<BlockIdentity>> byNode = new TreeMap<>();
    for (BlockStatus block : blocks) {
      for (int node : readable(block)) {
        byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(block.block());
      }
    }
    return byNode;
  }

  /** The nodes without Braid's plugin that have a good replica, which clients can read. */
  public int[] readableByClients(BlockStatus block) {
    return holders(block, this::lacksPlugin);
  }

  private int[] holders(BlockStatus block, IntPredicate node) {
    int[] found = new int[block.replicas().size()];
    int count = 0;
    for (Replica replica : block.replicas()) {
      OptionalInt index = indexOf(replica.node());
      if (replica.live()
          && !replica.corrupt()
          && index.isPresent()
          && node.test(index.getAsInt())
          && !contains(found, count, index.getAsInt())) {
        found[count++] = index.getAsInt();
      }
    }
    int[] holders = Arrays.copyOf(found, count);
    Arrays.sort(holders);
    return holders;
  }

  private static boolean contains(int[] nodes, int count, int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }

  /**
   * The blocks of a stripe whose homes break its rule, for example because nodes moved to other
   * racks; none when that is not known.
   */
  public Set<Integer> misplacedHomes(Stripe stripe) {
    if (!stripe.isSupported()) {
      return Set.of();
    }
    int[] places = new int[stripe.size()];
    List<Integer> claims = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      places[i] =
          stripe.isVirtual(i)
              ? StripeRule.NOWHERE
              : indexOf(stripe.member(i).home()).orElse(StripeRule.UNKNOWN);
      if (places[i] >= 0) {
        claims.add(i);
      }
    }
    try {
      return stripe.rule(topology).breaches(topology, places, claims).keySet();
    } catch (IllegalArgumentException e) {
      return Set.of(); // whoever trims the stripe is told why
    }
  }

  /** The DataNodes of this snapshot, by which the NameNode judges whether stripes are sound. */
  public SeenNodesProto seen() {
    SeenNodesProto.Builder seen = SeenNodesProto.newBuilder().setDigest(NodesDigest.of(nodes()));
    for (int i = 0; i < nodes().size(); i++) {
      if (!answers(i)) {
        seen.addSilent(node(i).uuid());
      }
    }
    return seen.build();
  }
}
