package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.rule.CoreRackParity;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.NodeLoads;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.rule.TargetRacks;

/**
 * Where the blocks of a stripe to come are, and from where they are encoded.
 *
 * @param state the cluster as it was
 * @param rule the stripe's own
 * @param places homes of all blocks
 * @param nodes those that take part in encoding
 * @param downloads data blocks that the encoding node reads from other racks
 */
record StripeLayout(
    ClusterState state,
    StripeRule rule,
    EncodedStripe places,
    EncodeChoice.Nodes nodes,
    int downloads) {
  int[] sources() {
    return nodes.sources();
  }

  /** The homes of all blocks that there are. */
  private List<String> homes() {
    return IntStream.concat(IntStream.of(places.dataNodes()), IntStream.of(places.parityNodes()))
        .mapToObj(node -> state.node(node).uuid())
        .toList();
  }

  /** Lays stripes for a request, evenly over nodes. Thread-safe. */
  static final class Layouter {
    private final ErasureCode code;
    private final StripeRule rule;
    private final OptionalInt targetRacks;
    private final Method method;
    private final ReadLoads loads;
    private final BadReplicas bad;

    /** Nodes at which something failed during this conversion. */
    private final Set<String> avoided = ConcurrentHashMap.newKeySet();

    /**
     * Lays stripes by a rule.
     *
     * @param loads of the stripes before; those that are laid are counted there
     * @param bad replicas that are not relied on
     */
    Layouter(StripeRule rule, ConvertRequest request, ReadLoads loads, BadReplicas bad) {
      this.code = rule.code();
      this.rule = rule;
      this.targetRacks = request.targetRacks();
      this.method = request.method();
      this.loads = loads;
      this.bad = bad;
    }

    /** Lays no stripe where something failed, as long as there are enough other nodes. */
    void avoid(Collection<String> nodes) {
      avoided.addAll(nodes);
    }

    /** Nothing came of a stripe. */
    void forget(Group group, StripeLayout layout) {
      loads.add(group, layout.homes(), -1);
    }

    /**
     * Lays a stripe and counts it.
     *
     * @throws RefusedException when there are too few nodes
     */
    StripeLayout lay(Group group, ClusterState state, SplittableRandom random) throws IOException {
      StripeLayout layout = layOrForgive(group, state, random);
      loads.add(group, layout.homes(), 1);
      return layout;
    }

    /** Nodes that failed are avoided, but not at the price of having too few. */
    private StripeLayout layOrForgive(Group group, ClusterState state, SplittableRandom random)
        throws IOException {
      try {
        return place(group, state, random);
      } catch (PlacementException e) {
        if (avoided.isEmpty()) {
          throw refused(e, group, state);
        }
        avoided.clear();
      }
      try {
        return place(group, state, random);
      } catch (PlacementException e) {
        throw refused(e, group, state);
      }
    }

    private static RefusedException refused(PlacementException e, Group group, ClusterState state) {
      return new RefusedException(e.getMessage() + state.lackOfRoom(group.length()), e);
    }

    private StripeLayout place(Group group, ClusterState state, SplittableRandom random)
        throws IOException {
      List<int[]> replicas = new ArrayList<>();
      for (DataBlock block : group.blocks()) {
        replicas.add(good(block, state));
      }
      EligibleNodes eligible =
          state
              .eligibleFor(group.length())
              .only(node -> !avoided.contains(state.node(node).uuid()));
      StripeRule own = rule(eligible, replicas);
      EncodedStripe places =
          own.layout(
              eligible,
              replicas,
              method.homes() == Homes.EVEN ? loads(group, state) : NodeLoads.NONE,
              random);
      int at =
          method.encoder() == Encoder.RANDOM
              ? EncoderChoice.random(eligible, random)
              : EncoderChoice.coreRack(eligible, replicas, random);
      if (method.homes() == Homes.NEAR) {
        int rack = state.topology().rackOf(at);
        places = CoreRackParity.in(own, eligible, places, replicas, rack, random);
      }
      int[] sources = new int[code.k()];
      Arrays.fill(sources, -1);
      for (int i = 0; i < replicas.size(); i++) {
        sources[i] = EncoderChoice.source(state.topology(), at, replicas.get(i), random);
      }
      int downloads = EncoderChoice.crossRackDownloads(state.topology(), at, replicas);
      var nodes = new EncodeChoice.Nodes(sources, at, places.parityNodes());
      return new StripeLayout(state, own, places, nodes, downloads);
    }

    private int[] good(DataBlock block, ClusterState state) throws IOException {
      long id = block.status().block().id();
      int[] good =
          Arrays.stream(state.readable(block.status()))
              .filter(node -> !bad.contains(id, state.node(node).uuid()))
              .toArray();
      if (good.length == 0) {
        throw new IOException(
            "block %d of %s (blk_%d) has no readable replica of %d"
                .formatted(
                    block.index(), block.file().path(), id, block.status().replicas().size()));
      }
      return good;
    }

    /** The rule of one stripe: its target racks are those that let most blocks stay. */
    private StripeRule rule(EligibleNodes eligible, List<int[]> replicas) {
      return targetRacks.isEmpty()
          ? rule
          : StripeRules.of(
              code,
              new StripeLimits(
                  rule.perRack(),
                  TargetRacks.keeping(eligible, replicas, targetRacks.getAsInt(), rule.perRack())));
    }

    private NodeLoads loads(Group group, ClusterState state) {
      return new NodeLoads() {
        @Override
        public long ofData(int block, int node) {
          return loads.load(group.blocks().get(block).file().inode(), state.node(node).uuid());
        }

        @Override
        public long ofParity(int node) {
          return loads.load(state.node(node).uuid());
        }
      };
    }
  }
}
