package org.braid.hdfs.coordinator.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;

/**
 * DataNodes {@code r0n0}, {@code r0n1}, ... in racks {@code /r0}, ... and stripes on them, as a
 * NameNode and workers would describe them. Thread-safe.
 */
public final class FakeCluster {
  private static final long BLOCK = 1 << 20;

  private final Map<String, String> rackOf = new LinkedHashMap<>();
  private final Set<String> dead = new HashSet<>();
  private final Set<String> silent = new HashSet<>();
  private final Set<String> late = new HashSet<>();
  private final Set<String> suspect = new HashSet<>();
  private final Set<String> plain = new HashSet<>();
  private final Set<String> leaving = new HashSet<>();
  private final Set<String> distrusted = new HashSet<>();
  private final Set<String> owing = new HashSet<>();
  private final Map<String, Long> silentMillis = new HashMap<>();
  private final Map<String, Long> unreportedMillis = new HashMap<>();
  private final Map<Long, List<Replica>> replicas = new HashMap<>();
  private final Map<Long, List<String>> going = new HashMap<>();
  private final Map<Long, Integer> replicationOf = new HashMap<>();
  private final Map<Long, Integer> givenTo = new HashMap<>();
  private final Set<Long> reencoded = new HashSet<>();
  private final Map<String, Map<String, Long>> storages = new HashMap<>();
  private final Map<Long, StoragePolicy> policyOf = new HashMap<>();
  private final Map<String, Stripe> stripes = new LinkedHashMap<>();

  /** A cluster of racks of the same number of nodes. */
  public FakeCluster(int racks, int nodesPerRack) {
    for (int rack = 0; rack < racks; rack++) {
      for (int i = 0; i < nodesPerRack; i++) {
        join("r" + rack + "n" + i, "/r" + rack);
      }
    }
  }

  /** Adds a node. */
  public synchronized void join(String node, String rack) {
    rackOf.put(node, rack);
  }

  /** A node's DataNode answers, but runs without Braid's plugin. */
  public synchronized void unplug(String node) {
    plain.add(node);
    silent.add(node);
  }

  /** The NameNode knows that a node is dead. */
  public synchronized void kill(String node) {
    dead.add(node);
  }

  /** A node does not answer though the NameNode believes in it. */
  public synchronized void silence(String node) {
    silent.add(node);
  }

  /** A node does not answer in the time that it has. */
  public synchronized void delay(String node) {
    silence(node);
    late.add(node);
  }

  /** The NameNode has not heard from a node for some time. */
  public synchronized void suspect(String node) {
    suspect.add(node);
  }

  /** The NameNode does not know yet that the disks of a node that answers are well. */
  public synchronized void distrust(String node) {
    distrusted.add(node);
  }

  /** The NameNode counts the copies of a node. */
  public synchronized void trust(String node) {
    distrusted.remove(node);
  }

  /** A node owes a full report of its blocks since a failover. */
  public synchronized void owe(String node) {
    owing.add(node);
  }

  /** All nodes have reported all their blocks. */
  public synchronized void report() {
    owing.clear();
  }

  /** A dead or silent node is back. */
  public synchronized void revive(String node) {
    silent.remove(node);
    late.remove(node);
    suspect.remove(node);
    dead.remove(node);
  }

  /** The milliseconds since the last heartbeat of a node. */
  public synchronized void heardOf(String node, long millis) {
    silentMillis.put(node, millis);
  }

  /** The milliseconds since a node registered that has not reported its blocks yet. */
  public synchronized void unreported(String node, long millis) {
    unreportedMillis.put(node, millis);
  }

  /** A node has reported its blocks, or that is awaited no more. */
  public synchronized void reported(String node) {
    unreportedMillis.remove(node);
  }

  /** A node is being taken out of service. */
  public synchronized void retire(String node) {
    leaving.add(node);
  }

  /** A stripe whose blocks are at home, a block a node, at most so many a rack. */
  public synchronized String stripe(String codeName, int perRack, String... homes) {
    ErasureCode code = Codes.named(codeName);
    String id = "%032x".formatted(stripes.size() + 1);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      BlockIdentity block = new BlockIdentity(100L * (stripes.size() + 1) + i, 1, BLOCK);
      members.add(
          i < code.k() ? Member.data(block, i, homes[i], 3) : Member.parity(block, i, homes[i]));
      put(block.id(), homes[i]);
    }
    StripePromise promise = new StripePromise(perRack, List.of(), Optional.empty());
    stripes.put(id, Stripe.encoded(id, code, members, promise, 0));
    return id;
  }

  /** The one copy of a block is at a node. */
  public synchronized void put(long block, String node) {
    replicas.put(block, List.of(new Replica(node, false, false, true)));
  }

  /** What a node has left by type of storage. */
  public synchronized void store(String node, Map<String, Long> room) {
    storages.put(node, room);
  }

  /** The storage policy of the file that a block belongs to. */
  public synchronized void want(long block, StoragePolicy policy) {
    policyOf.put(block, policy);
  }

  /** There is another copy of a block. */
  public synchronized void copy(long block, String node) {
    List<Replica> all = new ArrayList<>(replicas.getOrDefault(block, List.of()));
    all.add(new Replica(node, false, false, true));
    replicas.put(block, List.copyOf(all));
  }

  /** The one copy of a block, at a node, is known to be bad. */
  public synchronized void spoil(long block, String node) {
    replicas.put(block, List.of(new Replica(node, false, true, true)));
  }

  /** There is another copy of a block, which is known to be bad. */
  public synchronized void copyBad(long block, String node) {
    List<Replica> all = new ArrayList<>(replicas.getOrDefault(block, List.of()));
    all.add(new Replica(node, false, true, true));
    replicas.put(block, List.copyOf(all));
  }

  /** Users want more replicas of the file that a block belongs to. */
  public synchronized void raise(long block, int replication) {
    replicationOf.put(block, replication);
  }

  /** A block is given copies as its stripe lost others: its file wants no more than before. */
  public synchronized void protect(long block, int replication) {
    givenTo.put(block, replication);
  }

  /** A later stripe protects a block. */
  public synchronized void reencode(long block) {
    reencoded.add(block);
  }

  /** There is no copy of a block. */
  public synchronized void lose(long block) {
    replicas.put(block, List.of());
  }

  /** Nodes that are about to delete a copy of a block. */
  public synchronized void deleting(long block, List<String> nodes) {
    going.put(block, nodes);
  }

  /** The id of the block at a position. */
  public synchronized long block(String stripe, int position) {
    return stripes.get(stripe).member(position).block().id();
  }

  /** Where the copies of a block are, whatever becomes of the nodes. */
  public synchronized List<String> holders(String stripe, int position) {
    return replicas.get(block(stripe, position)).stream().map(Replica::node).toList();
  }

  /** The rack of a node. */
  public synchronized String rack(String node) {
    return rackOf.get(node);
  }

  /** A stripe of rs-3-2 as if its data had never had more than one replica. */
  public synchronized StripeStatus encodedWithOneReplica(String id) {
    StripeStatus status = status(id);
    List<Member> single =
        status.stripe().members().stream()
            .map(
                member ->
                    member.replication() == 0
                        ? member
                        : Member.data(member.block(), member.crc(), member.home(), 1))
            .toList();
    Stripe encoded =
        Stripe.encoded(
            id,
            Codes.named("rs-3-2"),
            single,
            new StripePromise(1, List.of(), Optional.empty()),
            0);
    return new StripeStatus(encoded, status.parityPath(), status.parityInode(), status.members());
  }

  /** A stripe as the NameNode describes it. */
  public synchronized StripeStatus status(String id) {
    Stripe stripe = stripes.get(id);
    List<MemberStatus> members = new ArrayList<>();
    for (Member member : stripe.members()) {
      List<Replica> listed =
          replicas.get(member.block().id()).stream()
              .map(
                  r ->
                      new Replica(
                          r.node(), owing.contains(r.node()), r.corrupt(), isLive(r.node())))
              .toList();
      long name = member.block().id();
      int wanted = replicationOf.getOrDefault(name, 1);
      BlockStatus block =
          new BlockStatus(
              member.block(),
              listed,
              givenTo.getOrDefault(name, wanted),
              true,
              going.getOrDefault(name, List.of()));
      members.add(
          new MemberStatus(
              block,
              "/f",
              7,
              false,
              false,
              wanted,
              false,
              reencoded.contains(name),
              ByteString.EMPTY,
              policyOf.getOrDefault(name, StoragePolicy.HOT)));
    }
    return new StripeStatus(stripe, "/parity/" + id, 8, members);
  }

  private boolean isLive(String node) {
    return !dead.contains(node) && !distrusted.contains(node);
  }

  /** All stripes. */
  public synchronized List<StripeStatus> stripes() {
    return stripes.keySet().stream().map(this::status).toList();
  }

  /** The same as it looks to work that goes by a clock. */
  public RecentClusterState recent(Ticker ticker) {
    return new RecentClusterState(kind -> look(), ticker);
  }

  /** The cluster as it looks now. */
  public ClusterState look() {
    return look(CoordinationProto.getDefaultInstance(), false);
  }

  /** The same while somebody works on it, or the NameNode is in safe mode. */
  public synchronized ClusterState look(CoordinationProto coordination, boolean safeMode) {
    List<Datanode> nodes = new ArrayList<>();
    Map<String, Worker> answers = new HashMap<>();
    Map<String, String> unreached = new HashMap<>();
    rackOf.forEach(
        (node, rack) -> {
          Datanode.Builder described =
              Datanode.builder(node)
                  .host(node)
                  .ip("127.0.0.1")
                  .ipcPort(1)
                  .transferPort(2)
                  .rack(rack)
                  .remaining(1L << 40)
                  .live(!dead.contains(node))
                  .suspect(suspect.contains(node))
                  .inService(!leaving.contains(node))
                  .heartbeatAgeMillis(silentMillis.getOrDefault(node, 0L))
                  .storages(storages.getOrDefault(node, Map.of()));
          if (unreportedMillis.containsKey(node)) {
            described.unreportedMillis(unreportedMillis.get(node));
          }
          Datanode known = described.build();
          nodes.add(known);
          if (!dead.contains(node) && !silent.contains(node)) {
            PingResponseProto pong =
                PingResponseProto.newBuilder()
                    .setUuid(node)
                    .setStreamPort(3)
                    .setKernel("scalar")
                    .setRunning(0)
                    .setMemoryLimit(1)
                    .setMemoryUsed(0)
                    .build();
            answers.put(node, new Worker(known, pong));
          } else if (plain.contains(node)) {
            unreached.put(node, "Unknown protocol: org.braid.hdfs.rpc.BraidWorkerPB");
          }
        });
    return new ClusterState(
        nodes,
        new Workers.Answers(answers, unreached, late),
        coordination,
        new ClusterState.Mode(safeMode, false));
  }
}
