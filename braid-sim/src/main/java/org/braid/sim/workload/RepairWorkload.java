package org.braid.sim.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.site.SiteLayout;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRequest;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.run.Payload;
import org.braid.sim.run.SimulatedEngine;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * Repair of one stripe (PPR section 7.1, Geo-MXOR section VII). The stripe is placed by a policy
 * over sites. The product chooses the helpers; without location awareness they are random.
 */
final class RepairWorkload extends SimWorkload {
  /** Most sets of lost blocks that are tried to find one that can be decoded. */
  private static final int MOST_DRAWS = 10_000;

  RepairWorkload() {
    super(
        "repair",
        "loses blocks of a stripe and rebuilds them on other nodes, without other traffic",
        ownDefaults(),
        List.of(
            Measure.less("seconds", "s"),
            Measure.less("network-seconds", "s"),
            Measure.less("decode-seconds", "s"),
            Measure.less("wait-seconds", "s"),
            Measure.less("read", "blocks"),
            Measure.less("busiest-link", "blocks"),
            Measure.less("steps", ""),
            Measure.less("cross-rack", "blocks"),
            Measure.less("cross-site", "blocks")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("16x1", "1gbit", "none");
    defaults.put("network", "fair");
    defaults.put("code", "rs-6-3");
    defaults.put("block", "64m");
    defaults.put("slice", "256k");
    defaults.put("queue", "4");
    defaults.put("shape", "ppr");
    defaults.put("lost", "1");
    defaults.put("placement", "even");
    defaults.put("parity-copies", "1");
    defaults.put("location-aware", "yes");
    defaults.put("stripes", "1");
    return defaults;
  }

  private record Parameters(
      ClusterSettings cluster,
      ErasureCode code,
      long length,
      long slice,
      int queue,
      RepairPlanner planner,
      int lost,
      SitePolicy placement,
      int copies,
      boolean aware,
      int stripes) {}

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    ErasureCode code = settings.as("code", Codes::named);
    long length = Math.max(1, settings.size("block") / code.alpha());
    int lost = settings.integer("lost", 1);
    if (lost > code.m()) {
      throw settings.wrong(
          "lost",
          "%s has %d parities, it cannot lose %d blocks".formatted(code.name(), code.m(), lost));
    }
    if (lost > code.k()) {
      throw settings.wrong(
          "lost",
          "%s has %d data blocks, readers cannot miss %d".formatted(code.name(), code.k(), lost));
    }
    Parameters parameters =
        new Parameters(
            cluster,
            code,
            length,
            settings.text("slice").equals("block") ? length : settings.size("slice"),
            settings.integer("queue", 1),
            settings.as("shape", RepairPlanners::named),
            lost,
            settings.as("placement", SitePolicies::named),
            settings.integer("parity-copies", 1),
            settings.flag("location-aware"),
            settings.integer("stripes", 1));
    request(parameters);
    requireDecodable(settings, parameters);
    if (cluster.topology().nodes() < code.n() + lost) {
      throw settings.wrong(
          "topology",
          "%d nodes are too few for %d blocks and new places for %d"
              .formatted(cluster.topology().nodes(), code.n(), lost));
    }
    return seed -> run(parameters, new RandomStreams(seed));
  }

  private static SiteRequest request(Parameters parameters) {
    Topology topology = parameters.cluster().topology();
    int racks = topology.racks();
    int total = parameters.code().k() + parameters.code().m() * parameters.copies();
    return new SiteRequest(
        EligibleNodes.all(topology),
        parameters.code(),
        parameters.copies(),
        (total + racks - 1) / racks + 1);
  }

  private static Map<String, Double> run(Parameters parameters, RandomStreams streams) {
    RandomGenerator random = streams.of("stripes");
    Map<String, Double> sums = new LinkedHashMap<>();
    for (int i = 0; i < parameters.stripes(); i++) {
      one(parameters, random).forEach((name, value) -> sums.merge(name, value, Double::sum));
    }
    sums.replaceAll((name, value) -> value / parameters.stripes());
    return sums;
  }

  private static Map<String, Double> one(Parameters parameters, RandomGenerator random) {
    ErasureCode code = parameters.code();
    Topology topology = parameters.cluster().topology();
    SiteLayout layout = parameters.placement().place(request(parameters), random);
    List<Integer> lost = lose(parameters, random);
    Rooted best = null;
    for (int root : roots(parameters, layout, random)) {
      int[] nodeOf = new int[code.n()];
      for (int block = 0; block < nodeOf.length; block++) {
        nodeOf[block] = copy(topology, layout.nodes()[block], root, parameters, random);
      }
      Plan planned = plan(parameters, nodeOf, lost, root, random);
      double crossings = crossSite(parameters, planned);
      if (best == null || crossings < best.crossings()) {
        best = new Rooted(root, planned, crossings);
      }
    }
    Rooted chosen = Objects.requireNonNull(best);
    Plan plan = chosen.plan();
    double whole = seconds(parameters, parameters.cluster(), plan);
    ClusterSettings networkAlone =
        new ClusterSettings(
            topology,
            parameters.cluster().speeds().withoutProcessors(),
            parameters.cluster().sharing());
    double network = seconds(parameters, networkAlone, plan);
    double decode = decodeSeconds(parameters, plan, chosen.root());
    PlanCost cost = PlanCost.of(plan, code.alpha(), network(parameters));
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", whole);
    figures.put("network-seconds", network);
    figures.put("decode-seconds", decode);
    figures.put("wait-seconds", Math.max(0, whole - decode));
    figures.put("read", cost.total());
    figures.put("busiest-link", cost.busiestLink());
    figures.put("steps", (double) cost.steps());
    figures.put("cross-rack", cost.crossRack());
    figures.put("cross-site", chosen.crossings());
    return figures;
  }

  /** Refuses losses of which the code can decode none. */
  private static void requireDecodable(WorkloadSettings settings, Parameters parameters)
      throws ExperimentException {
    Combinations sets = lossesOf(parameters);
    if (sets.count() <= MOST_DRAWS) {
      boolean[] found = {false};
      sets.each(
          lost -> {
            found[0] = Solver.decodable(parameters.code(), lost);
            return !found[0];
          });
      if (!found[0]) {
        throw settings.wrong(
            "lost",
            "%s cannot decode any of its %d sets of %d lost data blocks: lose fewer"
                .formatted(parameters.code().name(), sets.count(), sets.t()));
      }
    } else if (draw(parameters, RandomStreams.single(1)).isEmpty()) {
      throw settings.wrong("lost", noneDrawn(parameters));
    }
  }

  /** The sets of lost data blocks: readers miss these. */
  private static Combinations lossesOf(Parameters parameters) {
    return new Combinations(parameters.code().k(), parameters.lost());
  }

  /** Draws lost data blocks that can be decoded. */
  private static List<Integer> lose(Parameters parameters, RandomGenerator random) {
    return draw(parameters, random)
        .orElseThrow(() -> new IllegalStateException(noneDrawn(parameters)));
  }

  private static Optional<List<Integer>> draw(Parameters parameters, RandomGenerator random) {
    Combinations sets = lossesOf(parameters);
    for (int i = 0; i < MOST_DRAWS; i++) {
      List<Integer> lost =
          random.ints(0, sets.n()).distinct().limit(sets.t()).sorted().boxed().toList();
      if (Solver.decodable(parameters.code(), lost)) {
        return Optional.of(lost);
      }
    }
    return Optional.empty();
  }

  private static String noneDrawn(Parameters parameters) {
    return "%s could decode none of %d random sets of %d lost data blocks: lose fewer"
        .formatted(parameters.code().name(), MOST_DRAWS, lossesOf(parameters).t());
  }

  /** A plan with its root and the blocks that it sends across sites. */
  private record Rooted(int root, Plan plan, double crossings) {}

  private static double crossSite(Parameters parameters, Plan plan) {
    Topology topology = parameters.cluster().topology();
    return PlanCost.of(plan, parameters.code().alpha(), network(parameters)).edges().stream()
        .filter(edge -> topology.siteOf(edge.from()) != topology.siteOf(edge.to()))
        .mapToDouble(PlanCost.Edge::blocks)
        .sum();
  }

  /**
   * Nodes without a block of the stripe that may be the root: with location awareness one at each
   * site, otherwise a random one.
   */
  private static List<Integer> roots(
      Parameters parameters, SiteLayout layout, RandomGenerator random) {
    Topology topology = parameters.cluster().topology();
    Set<Integer> holders = new HashSet<>();
    Arrays.stream(layout.nodes()).flatMapToInt(Arrays::stream).forEach(holders::add);
    List<Integer> free =
        new ArrayList<>(
            IntStream.range(0, topology.nodes())
                .filter(n -> !holders.contains(n))
                .boxed()
                .toList());
    Collections.shuffle(free, new Random(random.nextLong()));
    if (free.isEmpty()) {
      throw new IllegalStateException("every node holds a block of the stripe: add nodes");
    }
    if (!parameters.aware()) {
      return free.subList(0, 1);
    }
    Map<Integer, Integer> bySite = new TreeMap<>();
    free.forEach(node -> bySite.putIfAbsent(topology.siteOf(node), node));
    return List.copyOf(bySite.values());
  }

  private static int copy(
      Topology topology, int[] nodes, int root, Parameters parameters, RandomGenerator random) {
    if (parameters.aware()) {
      for (int node : nodes) {
        if (topology.siteOf(node) == topology.siteOf(root)) {
          return node;
        }
      }
    }
    return nodes[random.nextInt(nodes.length)];
  }

  private static Network network(Parameters parameters) {
    return parameters.cluster().plannerNetwork(parameters.length(), parameters.slice());
  }

  private static Plan plan(
      Parameters parameters, int[] nodeOf, List<Integer> lost, int root, RandomGenerator random) {
    ErasureCode code = parameters.code();
    List<Integer> alive =
        new ArrayList<>(
            IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList());
    if (!parameters.aware()) {
      // Without location awareness helpers are random.
      Collections.shuffle(alive, new Random(random.nextLong()));
    }
    Network network = parameters.aware() ? network(parameters) : Network.flat();
    return new HelperChoice(code, lost, alive, block -> nodeOf[block], block -> root, network)
        .plan(parameters.planner())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s cannot rebuild blocks %s from the others".formatted(code.name(), lost)));
  }

  private static double seconds(Parameters parameters, ClusterSettings cluster, Plan plan) {
    SimulatedNetwork network = cluster.network();
    double[] seconds = {0};
    new SimulatedEngine(network, parameters.slice(), parameters.queue())
        .begin(plan, parameters.length(), Payload.SIZES, run -> seconds[0] = run.seconds());
    network.simulation().run();
    network.conservation().verifyEnded();
    return seconds[0];
  }

  /** Time of the root's processor. */
  private static double decodeSeconds(Parameters parameters, Plan plan, int root) {
    double cells = 0;
    for (var op : plan.fragment(root).ops()) {
      if (op instanceof Operation.Combine combine) {
        cells += (double) combine.inputs().size() * combine.outputs().size();
      }
    }
    double rate = parameters.cluster().speeds().cpu();
    return Double.isInfinite(rate)
        ? 0
        : Simulation.seconds(Simulation.nanos(cells * parameters.length() / rate));
  }
}
