package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
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
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.stripe.BlockStatus;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The homes of the blocks of a future stripe, and the nodes that encode it.
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

  /** The homes of all blocks that exist; blocks of zeros have none. */
  private List<String> homes() {
    return IntStream.concat(IntStream.of(places.dataNodes()), IntStream.of(places.parityNodes()))
        .mapToObj(node -> state.node(node).uuid())
        .toList();
  }

  /** Lays stripes for a request, evenly over nodes. Thread-safe. */
  static final class Layouter {
    private static final Logger LOG = LoggerFactory.getLogger(Layouter.class);

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
     * @param loads read loads of earlier stripes; counts each stripe that is laid
     * @param bad replicas known to be bad, which are not used
     */
    Layouter(StripeRule rule, ConvertRequest request, ReadLoads loads, BadReplicas bad) {
      this.code = rule.code();
      this.rule = rule;
      this.targetRacks = request.targetRacks();
      this.method = request.method();
      this.loads = loads;
      this.bad = bad;
    }

    /** Avoids nodes at which something failed, as long as there are enough other nodes. */
    void avoid(Collection<String> nodes) {
      avoided.addAll(nodes);
    }

    /** Uncounts a stripe that was laid and could not be written. */
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

    /** Avoids failed nodes, unless there are too few nodes without them. */
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
      return new RefusedException(
          e.getMessage() + group.need().lack(state, group.length()) + state.silentNodes(), e);
    }

    private StripeLayout place(Group group, ClusterState state, SplittableRandom random)
        throws IOException {
      List<int[]> replicas = new ArrayList<>();
      for (DataBlock block : group.blocks()) {
        replicas.add(good(block, state));
      }
      return group
          .need()
          .place(
              state,
              group.length(),
              node -> !avoided.contains(state.node(node).uuid()),
              nodes -> place(group, state, nodes, replicas, random));
    }

    /**
     * Lays a stripe.
     *
     * @param eligible nodes that may hold a block
     * @param replicas by block, the nodes of its readable replicas
     */
    private StripeLayout place(
        Group group,
        ClusterState state,
        EligibleNodes eligible,
        List<int[]> replicas,
        SplittableRandom random) {
      StorageNeed need = group.need();
      List<int[]> staying = new ArrayList<>();
      Set<Integer> holders = new HashSet<>();
      for (int i = 0; i < replicas.size(); i++) {
        BlockStatus block = group.blocks().get(i).status();
        int[] nodes = need.staying(state, block, replicas.get(i));
        Set<Integer> asWanted = need.holders(state, block, nodes);
        // A block that has yet to be moved to the type needs room on it.
        staying.add(
            asWanted.isEmpty() ? Arrays.stream(nodes).filter(eligible::contains).toArray() : nodes);
        holders.addAll(asWanted);
      }
      NodeLoads evenly = method.homes() == Homes.EVEN ? loads(group, state) : NodeLoads.NONE;
      Laid laid = lay(keeping(eligible, holders, state), eligible, staying, evenly, random);
      StripeRule own = laid.rule();
      EligibleNodes wanted = need.wanted(state, group.length(), node -> eligible.contains(node));
      EncodedStripe places = onWanted(own, wanted, laid.places(), random);
      int at =
          method.encoder() == Encoder.RANDOM
              ? EncoderChoice.random(eligible, random)
              : EncoderChoice.coreRack(eligible, replicas, random);
      if (method.homes() == Homes.NEAR) {
        int rack = state.topology().rackOf(at);
        places = CoreRackParity.in(own, eligible, wanted, places, staying, rack, random);
      }
      places = apart(own, eligible, places, group, state, random);
      int[] sources = new int[code.k()];
      Arrays.fill(sources, -1);
      for (int i = 0; i < replicas.size(); i++) {
        int[] trusted = trusted(replicas.get(i), state);
        sources[i] = EncoderChoice.source(state.topology(), at, trusted, random);
      }
      int downloads = EncoderChoice.crossRackDownloads(state.topology(), at, replicas);
      var nodes = new EncodeChoice.Nodes(sources, at, places.parityNodes());
      return new StripeLayout(state, own, places, nodes, downloads);
    }

    /** A layout, with a rule that may have target racks of its own. */
    private record Laid(StripeRule rule, EncodedStripe places) {}

    /** Nodes that may get a block, and nodes that have a block and no room for another one. */
    private EligibleNodes keeping(
        EligibleNodes eligible, Set<Integer> holders, ClusterState state) {
      return eligible.or(
          node ->
              holders.contains(node)
                  && state.eligible(node)
                  && !avoided.contains(state.node(node).uuid()));
    }

    /**
     * Lays a stripe. Lets blocks stay on full nodes unless that leaves no room for the new blocks.
     *
     * @param keeping nodes at which blocks may stay
     * @param eligible those of them that may get blocks
     * @param staying by block, the nodes at which its replica may stay
     */
    private Laid lay(
        EligibleNodes keeping,
        EligibleNodes eligible,
        List<int[]> staying,
        NodeLoads evenly,
        SplittableRandom random) {
      try {
        StripeRule own = rule(keeping, staying);
        EncodedStripe places = own.layout(keeping, staying, evenly, random);
        return new Laid(own, withRoom(own, eligible, places, random));
      } catch (PlacementException e) {
        LOG.debug("blocks move away from full nodes: {}", e.getMessage());
      }
      StripeRule own = rule(eligible, staying);
      return new Laid(own, own.layout(eligible, staying, evenly, random));
    }

    /** Sends newly stored blocks to nodes that may get blocks. */
    private EncodedStripe withRoom(
        StripeRule own, EligibleNodes eligible, EncodedStripe places, SplittableRandom random) {
      int[] nodes = nodes(places);
      List<Integer> unfit =
          storedAnew(places).filter(block -> !eligible.contains(nodes[block])).boxed().toList();
      if (unfit.isEmpty()) {
        return places;
      }
      int[] chosen = own.destinations(eligible, nodes, unfit, random);
      for (int i = 0; i < chosen.length; i++) {
        nodes[unfit.get(i)] = chosen[i];
      }
      return placed(places, nodes);
    }

    /**
     * Sends newly stored blocks to nodes with the wanted storage type, as far as the rule allows:
     * there are too few such nodes for the whole stripe.
     */
    private EncodedStripe onWanted(
        StripeRule own, EligibleNodes wanted, EncodedStripe places, SplittableRandom random) {
      int[] nodes = nodes(places);
      for (int block : storedAnew(places).toArray()) {
        if (!wanted.contains(nodes[block])) {
          try {
            nodes[block] = own.destinations(wanted, nodes, List.of(block), random)[0];
          } catch (PlacementException e) {
            LOG.debug("block {} goes where another type stands in: {}", block, e.getMessage());
          }
        }
      }
      return placed(places, nodes);
    }

    /** The newly stored blocks: those that move, and the parities. */
    private IntStream storedAnew(EncodedStripe places) {
      return IntStream.concat(
          places.relocated().stream().mapToInt(block -> block),
          IntStream.range(code.k(), code.n()));
    }

    /** The same blocks on other nodes. */
    private EncodedStripe placed(EncodedStripe places, int[] nodes) {
      return new EncodedStripe(
          Arrays.copyOf(nodes, places.dataNodes().length),
          places.relocated(),
          Arrays.copyOfRange(nodes, code.k(), code.n()));
    }

    /** The node of each block of the code. */
    private int[] nodes(EncodedStripe places) {
      int[] nodes = new int[code.n()];
      Arrays.fill(nodes, StripeRule.NOWHERE);
      System.arraycopy(places.dataNodes(), 0, nodes, 0, places.dataNodes().length);
      System.arraycopy(places.parityNodes(), 0, nodes, code.k(), code.m());
      return nodes;
    }

    /**
     * Sends relocated blocks to nodes without a replica of them, as far as possible: a node takes
     * no second replica, even if its own is bad, on another storage type or about to be deleted.
     */
    private EncodedStripe apart(
        StripeRule own,
        EligibleNodes eligible,
        EncodedStripe places,
        Group group,
        ClusterState state,
        SplittableRandom random) {
      int[] nodes = nodes(places);
      for (int block : places.relocated()) {
        BlockStatus status = group.blocks().get(block).status();
        if (!status.isTiedTo(state.node(nodes[block]).uuid())) {
          continue;
        }
        try {
          EligibleNodes others = eligible.only(node -> !status.isTiedTo(state.node(node).uuid()));
          nodes[block] = own.destinations(others, nodes, List.of(block), random)[0];
        } catch (PlacementException e) {
          LOG.debug("{} keeps its replica where it is: {}", block, e.getMessage());
        }
      }
      return placed(places, nodes);
    }

    /** The nodes at which nothing failed, if there are any. */
    private int[] trusted(int[] nodes, ClusterState state) {
      int[] trusted =
          Arrays.stream(nodes).filter(node -> !avoided.contains(state.node(node).uuid())).toArray();
      return trusted.length == 0 ? nodes : trusted;
    }

    private int[] good(DataBlock block, ClusterState state) throws IOException {
      long id = block.status().block().id();
      int[] good =
          Arrays.stream(state.readable(block.status()))
              .filter(node -> !bad.contains(id, state.node(node).uuid()))
              .toArray();
      if (good.length == 0) {
        throw new IOException(
            ("block %d of %s (blk_%d) has no readable replica of %d: bring their DataNodes back,"
                    + " then convert again")
                .formatted(
                    block.index(), block.file().path(), id, block.status().replicas().size()));
      }
      return good;
    }

    /**
     * The rule of one stripe: chooses those target racks that fit it in which most of its blocks
     * can stay.
     */
    private StripeRule rule(EligibleNodes eligible, List<int[]> replicas) {
      if (targetRacks.isEmpty()) {
        return rule;
      }
      int columns = StripeRules.columns(code).size(); // of which each needs a whole rack
      int blocks = columns == 0 ? replicas.size() + code.m() : columns * rule.perRack();
      return StripeRules.of(
          code,
          new StripeLimits(
              rule.perRack(),
              TargetRacks.keeping(
                  eligible,
                  replicas,
                  targetRacks.getAsInt(),
                  new TargetRacks.Need(rule.perRack(), blocks, columns > 0))));
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
