package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Overhead;
import org.braid.code.derive.Tolerance;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRules;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.braid.sim.advise.Advice.Ranked;
import org.braid.sim.advise.Advice.Rejected;
import org.braid.sim.advise.Choice.Figure;
import org.braid.sim.durability.Cluster;
import org.braid.sim.durability.Durability;
import org.braid.sim.durability.Missions;
import org.braid.sim.durability.OverloadException;
import org.braid.sim.durability.Patterns;
import org.braid.sim.durability.PlannedRepairs;
import org.braid.sim.durability.RepairSettings.Course;
import org.braid.sim.durability.RepairSettings.Order;
import org.braid.sim.durability.StripeChain;
import org.braid.sim.durability.StripeModel;
import org.braid.sim.durability.Times;

/**
 * Measures codes, placements and shapes of repair on a cluster, keeps those within limits that no
 * other beats, and ranks them by their mean place over overhead, durability, repair traffic,
 * degraded reads and conversion.
 *
 * <p>Durability is that of the Markov chain where nodes fail after exponential lives; where more
 * goes wrong, it is simulated.
 */
public final class Advisor {
  /** What limits are compared with when no nines are asked for. */
  public static final String REPLICAS = "rep-3";

  private static final long PATTERNS = 20_000;
  private static final int MOST_RACKS = 4;
  private static final Missions.Effort EFFORT = new Missions.Effort(256, 0.3, 8_000);

  private final Wanted wanted;
  private final List<Choice> choices = new ArrayList<>();
  private final List<Rejected> rejected = new ArrayList<>();

  private Advisor(Wanted wanted) {
    this.wanted = wanted;
  }

  /** Hears how far it is. */
  @FunctionalInterface
  public interface Listener {
    void at(String code, int done, int all);
  }

  private record Placed(String name, StripeRule rule) {}

  /**
   * Gives advice.
   *
   * @param spread how codes are measured: one after the other, or in parallel; the result is the
   *     same
   * @throws ContradictionException when limits contradict each other or the cluster
   */
  public static Advice advise(Wanted wanted, UnaryOperator<IntStream> spread, Listener listener) {
    List<String> contradictions = wanted.limits().contradictions(wanted.topology());
    if (!contradictions.isEmpty()) {
      throw new ContradictionException(String.join("; ", contradictions));
    }
    Advisor advisor = new Advisor(wanted);
    AtomicInteger done = new AtomicInteger();
    List<Advisor> each =
        spread
            .apply(IntStream.range(0, wanted.codes().size()))
            .mapToObj(
                i -> {
                  Advisor one = new Advisor(wanted);
                  one.measure(wanted.codes().get(i), true);
                  listener.at(wanted.codes().get(i), done.incrementAndGet(), wanted.codes().size());
                  return one;
                })
            .toList();
    for (Advisor one : each) {
      advisor.choices.addAll(one.choices);
      advisor.rejected.addAll(one.rejected);
    }
    return advisor.rank(wanted.limits().nines().orElseGet(advisor::ninesOfReplicas));
  }

  /** The nines of three replicas on the cluster; 0 where they cannot be placed. */
  private double ninesOfReplicas() {
    Advisor other = new Advisor(wanted);
    other.measure(REPLICAS, false);
    return other.choices.stream().mapToDouble(c -> c.durability().nines()).max().orElse(0);
  }

  private void measure(String name, boolean limited) {
    ErasureCode code = Codes.named(name);
    double most = wanted.limits().overhead();
    if (limited && Overhead.of(code) > most + 1e-12) {
      reject(
          name,
          "",
          "",
          String.format(Locale.ROOT, "overhead %.3f, at most %.3f", Overhead.of(code), most));
      return;
    }
    Patterns patterns = new Patterns(code);
    Patterns.Steps steps = patterns.steps(PATTERNS, random(1));
    Network rates = Network.of(wanted.topology()).with(wanted.repairs().rates());
    Network network =
        rates.with(
            Network.Volume.ofBlock(wanted.blockSize(), code.alpha(), wanted.repairs().slice()));
    for (Placed placed : placements(code)) {
      Cluster cluster =
          new Cluster(wanted.topology(), placed.rule(), wanted.blockSize(), wanted.nodeBytes());
      StripeStudy study = new StripeStudy(cluster, patterns, network, wanted.samples(), random(2));
      measure(placed, cluster, patterns, steps, study);
    }
  }

  private record Tolerances(int nodes, int racks, int sites) {}

  private Tolerances tolerances(StripeStudy study, StripeRule rule, ErasureCode code) {
    Topology topology = wanted.topology();
    int nodes = Tolerance.counted(code);
    int sampled = study.survived(topology.racks(), topology::rackOf, MOST_RACKS);
    boolean grid = !StripeRules.columns(code).isEmpty();
    // What other racks hold differs from stripe to stripe: only the count is a promise.
    int racks = grid ? sampled : Math.min(sampled, nodes / rule.perRack());
    int sites = 0;
    if (topology.sites() > 1) {
      sites = study.survived(topology.sites(), topology::siteOf, topology.sites() - 1);
      if (rule.sites().isEmpty()) {
        // Samples promise nothing where the rule does not know sites.
        sites = Math.min(sites, nodes / Math.min(code.n(), mostAtASite(rule)));
      }
    }
    return new Tolerances(nodes, topology.racks() == 1 ? 0 : racks, sites);
  }

  /** Blocks of a stripe that may all be at one site, by a rule of racks. */
  private int mostAtASite(StripeRule rule) {
    Topology topology = wanted.topology();
    return rule.perRack()
        * IntStream.range(0, topology.sites())
            .map(
                site ->
                    (int)
                        IntStream.range(0, topology.racks())
                            .filter(rack -> topology.siteOfRack(rack) == site)
                            .count())
            .max()
            .orElseThrow();
  }

  private void measure(
      Placed placed, Cluster cluster, Patterns patterns, Patterns.Steps steps, StripeStudy study) {
    ErasureCode code = cluster.code();
    List<RepairPlanner> shapes = RepairPlanners.shapes();
    Tolerances tolerances = tolerances(study, placed.rule(), code);
    double conversion = study.conversion(random(3));
    PlannedRepairs.Samples planned =
        PlannedRepairs.Samples.of(
            cluster, wanted.repairs(), shapes, patterns, wanted.samples(), random(4));
    Map<String, Double> reads = study.readSeconds(shapes, random(5));
    double failures = wanted.topology().nodes() * wanted.faults().node().rate();
    for (RepairPlanner shape : shapes) {
      PlannedRepairs repairs;
      try {
        repairs = planned.repairs(shape, failures);
      } catch (OverloadException e) {
        reject(code.name(), placed.name(), shape.name(), String.valueOf(e.getMessage()));
        continue;
      }
      PlannedRepairs.Level level = repairs.levels().get(0);
      choices.add(
          new Choice(
              code.name(),
              placed.name(),
              placed.rule().perRack(),
              shape.name(),
              Overhead.of(code),
              durability(cluster, patterns, steps, repairs),
              tolerances.nodes(),
              tolerances.racks(),
              tolerances.sites(),
              level.total(),
              level.crossRack(),
              level.crossSite(),
              repairs.nodeSeconds(),
              reads.getOrDefault(shape.name(), Double.NaN),
              conversion));
    }
  }

  private Durability durability(
      Cluster cluster, Patterns patterns, Patterns.Steps steps, PlannedRepairs repairs) {
    if (wanted.isMarkov()) {
      Optional<StripeChain> chain =
          StripeChain.of(
              cluster.code().n(), wanted.faults().node(), repairs, Order.TOGETHER, steps);
      if (chain.isPresent()) {
        return Durability.of(cluster, chain.get().losses(), chain.get().lostBlocks());
      }
    }
    StripeModel model =
        new StripeModel(cluster, patterns, wanted.faults(), repairs, Course.PRODUCT);
    Missions.Result seen =
        new Missions(model, Times.YEAR).run(EFFORT, wanted.seed(), UnaryOperator.identity());
    return Durability.of(cluster, seen.losses().mean(), seen.lostBlocks().mean());
  }

  /** The placements of a code that the cluster allows; those it does not are rejected. */
  private List<Placed> placements(ErasureCode code) {
    Map<String, Placed> found = new LinkedHashMap<>();
    tryRule(code, "racks", () -> byRacks(code, wanted.perRack()), found);
    int asked = Math.max(1, wanted.limits().racks());
    int most = Tolerance.counted(code) / asked;
    boolean wide = wanted.perRack().isEmpty() && StripeRules.columns(code).isEmpty();
    if (wide && most > 1 && !found.isEmpty()) {
      // As many blocks a rack as tolerance allows: fewer racks send in a repair.
      tryRule(code, "racks", () -> byRacks(code, OptionalInt.of(most)), found);
    }
    if (wanted.topology().sites() > 1 && StripeRules.columns(code).isEmpty()) {
      for (SitePolicy policy : List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE)) {
        tryRule(
            code,
            policy.name(),
            () -> SiteRules.on(code, policy, wanted.perRack(), wanted.topology(), node -> true),
            found);
      }
    }
    return List.copyOf(found.values());
  }

  private StripeRule byRacks(ErasureCode code, OptionalInt perRack) {
    return StripeRules.on(code, perRack, wanted.topology(), node -> true);
  }

  private interface RuleMaker {
    StripeRule make();
  }

  private void tryRule(ErasureCode code, String name, RuleMaker maker, Map<String, Placed> found) {
    try {
      StripeRule rule = maker.make();
      String full = name + ", " + rule.perRack() + " a rack";
      found.putIfAbsent(full, new Placed(full, rule));
    } catch (PlacementException e) {
      reject(code.name(), name, "", String.valueOf(e.getMessage()));
    }
  }

  private void reject(String code, String placement, String shape, String reason) {
    rejected.add(new Rejected(code, placement, shape, reason, List.of()));
  }

  private Advice rank(double nines) {
    List<Choice> within = new ArrayList<>();
    for (Choice choice : choices) {
      List<String> breaches = choice.breaches(wanted.limits(), nines);
      if (breaches.isEmpty()) {
        within.add(choice);
      } else {
        reject(choice, String.join("; ", breaches));
      }
    }
    List<Choice> best =
        within.stream().filter(c -> within.stream().noneMatch(c::isBeatenBy)).toList();
    List<Choice> front = new ArrayList<>();
    for (Choice choice : best) {
      // Shapes often are the same in every figure.
      Optional<Choice> same = front.stream().filter(other -> isAlike(choice, other)).findFirst();
      if (same.isPresent()) {
        reject(choice, "no different from " + title(same.get()));
      } else {
        front.add(choice);
      }
    }
    for (Choice choice : within) {
      // Whoever is beaten is so by one of the best, too.
      front.stream()
          .filter(choice::isBeatenBy)
          .findFirst()
          .ifPresent(better -> reject(choice, beaten(choice, better)));
    }
    return new Advice(nines, ranked(front), rejected);
  }

  private static String title(Choice choice) {
    return "%s, %s by %s".formatted(choice.code(), choice.placement(), choice.shape());
  }

  private static boolean isAlike(Choice choice, Choice other) {
    return Arrays.stream(Figure.values()).allMatch(f -> f.grade(choice) == f.grade(other));
  }

  private void reject(Choice choice, String reason) {
    rejected.add(
        new Rejected(choice.code(), choice.placement(), choice.shape(), reason, List.of(choice)));
  }

  private static String beaten(Choice choice, Choice by) {
    List<String> figures = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      if (figure.grade(by) < figure.grade(choice)) {
        figures.add(figure.text(by) + " instead of " + figure.text(choice));
      }
    }
    return title(by) + " is better: " + String.join(", ", figures);
  }

  private static List<Ranked> ranked(List<Choice> front) {
    List<Ranked> ranked = new ArrayList<>();
    for (Choice choice : front) {
      double places = 0;
      for (Figure figure : Figure.values()) {
        places += 1 + front.stream().filter(o -> figure.grade(o) < figure.grade(choice)).count();
      }
      ranked.add(new Ranked(choice, places / Figure.values().length));
    }
    ranked.sort(
        Comparator.comparingDouble(Ranked::score)
            .thenComparingDouble(r -> r.choice().overhead())
            .thenComparing(r -> r.choice().code()));
    return ranked;
  }

  private RandomGenerator random(long use) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(wanted.seed() * 31 + use);
  }
}
