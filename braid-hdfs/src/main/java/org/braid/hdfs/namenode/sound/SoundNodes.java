package org.braid.hdfs.namenode.sound;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.SeenNodesProto;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.NodesDigest;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/** The present DataNodes, for comparison with those that a caller knows. Thread-safe. */
public final class SoundNodes {
  private final NameNodeHost host;
  private volatile Map<String, Numbered> numbered = Map.of();
  private volatile @Nullable Known last;

  private record Numbered(String rack, boolean inService, long digest) {}

  private record Known(long digest, Topology topology, Set<String> leaving) {}

  /** The caller's view of the nodes, which equals this NameNode's. */
  public record Seen(Topology topology, Set<String> leaving, Set<String> silent) {
    /** The index of a node that may hold blocks of sound stripes; -1 for other nodes. */
    int place(String uuid) {
      OptionalInt index = topology.indexOf(uuid);
      return index.isEmpty() || silent.contains(uuid) || leaving.contains(uuid)
          ? -1
          : index.getAsInt();
    }

    /** Whether the caller knows a node, and its worker answers. */
    boolean answers(String uuid) {
      return topology.indexOf(uuid).isPresent() && !silent.contains(uuid);
    }
  }

  public SoundNodes(NameNodeHost host) {
    this.host = host;
  }

  /**
   * The caller's view; empty if the caller knows other nodes, other racks of nodes, or other states
   * of service.
   */
  public Optional<Seen> seen(SeenNodesProto caller) {
    Map<String, Numbered> before = numbered;
    Map<String, Numbered> now = new HashMap<>();
    long digest = 0;
    boolean same = true;
    for (DatanodeDescriptor node : host.nodes().getDatanodes()) {
      String uuid = node.getDatanodeUuid();
      Numbered present = number(uuid, node, before.get(uuid));
      same &= present.equals(before.get(uuid));
      now.put(uuid, present);
      digest += present.digest;
    }
    if (!same || now.size() != before.size()) {
      numbered = now;
    }
    if (digest != caller.getDigest()) {
      return Optional.empty();
    }
    Known known = last;
    if (known == null || known.digest != digest) {
      known = known(digest, now);
      last = known;
    }
    return Optional.of(
        new Seen(known.topology, known.leaving, new HashSet<>(caller.getSilentList())));
  }

  private static Numbered number(String uuid, DatanodeDescriptor node, @Nullable Numbered before) {
    String rack = node.getNetworkLocation();
    boolean inService = ReplicaView.inService(node);
    return before != null && before.inService == inService && before.rack.equals(rack)
        ? before
        : new Numbered(rack, inService, NodesDigest.of(uuid, rack, inService));
  }

  private static Known known(long digest, Map<String, Numbered> nodes) {
    Topology.Builder topology = Topology.builder();
    Set<String> leaving = new HashSet<>();
    new TreeMap<>(nodes)
        .forEach(
            (uuid, node) -> {
              NetworkLocations.add(topology, uuid, node.rack);
              if (!node.inService) {
                leaving.add(uuid);
              }
            });
    return new Known(digest, topology.build(), Set.copyOf(leaving));
  }
}
