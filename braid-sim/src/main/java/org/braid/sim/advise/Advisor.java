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
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Overhead;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRules;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.advise.Advice.Cause;
import org.braid.sim.advise.Advice.Ranked;
import org.braid.sim.advise.Advice.Rejected;
import org.braid.sim.advise.Candidate.Criterion;
import org.braid.sim.durability.Durability;
import org.braid.sim.durability.EncodedCluster;
import org.braid.sim.durability.ErasurePatterns;
import org.braid.sim.durability.ImportanceSampling;
import org.braid.sim.durability.OverloadException;
import org.braid.sim.durability.PlannedRepairs;
import org.braid.sim.durability.RepairParameters.Course;
import org.braid.sim.durability.RepairParameters.Order;
import org.braid.sim.durability.StripeMarkovChain;
import org.braid.sim.durability.StripeModel;
import org.braid.sim.time.RandomStreams;

/**
 * Measures codes, placements and shapes of repair on a cluster, keeps those that meet the
 * requirements and that no other dominates, and ranks them by their mean rank over storage
 * overhead, durability, repair traffic, degraded reads and conversion.
 *
 * <p>Durability is that of a Markov chain if nodes fail after exponential lifetimes and nothing
 * else fails; otherwise it is simulated.
 */
public final class Advisor {
  /** The code whose nines are required when the request names none. */
  public static final String REPLICAS = "rep-3";

  private static final long PATTERNS = 20_000;

  /** Lost racks of a grid that are tried, unless more are asked for. */
  private static final int MOST_RACKS = 4;

  private static final ImportanceSampling.Effort EFFORT =
      new ImportanceSampling.Effort(256, 0.3, 8_000);

  private final AdviceRequest request;
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<Rejected> rejected = new ArrayList<>();

  private Advisor(AdviceRequest request) {
    this.request = request;
  }

  /** Told of progress. */
  @FunctionalInterface
  public interface Listener {
    /** A code is measured; {@code done} of {@code all} codes are. */
    void at(String code, int done, int all);
  }

  private record Placed(String name, StripeRule rule) {}

  /**
   * Measures and ranks the candidates of a request.
   *
   * @param spread measures codes: the identity, or parallel; the result is the same
   * @throws ContradictionException when no code on the cluster can meet the requirements
   */
  public static Advice advise(
      AdviceRequest request, UnaryOperator<IntStream> spread, Listener listener) {
    List<String> contradictions = request.requirements().contradictions(request.topology());
    if (!contradictions.isEmpty()) {
      throw new ContradictionException(String.join("; ", contradictions));
    }
    Advisor advisor = new Advisor(request);
    AtomicInteger done = new AtomicInteger();
    List<Advisor> each =
        spread
            .apply(IntStream.range(0, request.codes().size()))
            .mapToObj(
                i -> {
                  Advisor one = new Advisor(request);
                  one.measure(request.codes().get(i), true);
                  listener.at(
                      request.codes().get(i), done.incrementAndGet(), request.codes().size());
                  return one;
                })
            .toList();
    for (Advisor one : each) {
      advisor.candidates.addAll(one.candidates);
      advisor.rejected.addAll(one.rejected);
    }
    return advisor.rank(request.requirements().nines().orElseGet(advisor::ninesOfReplicas));
  }

  /** The nines of three replicas on the cluster; 0 when these cannot be placed. */
  private double ninesOfReplicas() {
    Advisor other = new Advisor(request);
    other.measure(REPLICAS, false);
    return other.candidates.stream().mapToDouble(c -> c.durability().nines()).max().orElse(0);
  }

  private void measure(String name, boolean limited) {
    ErasureCode code = Codes.named(name);
    double most = request.requirements().overhead();
    if (limited && Overhead.of(code) > most + 1e-12) {
      reject(
          name,
          "",
          "",
          Cause.REQUIREMENT,
          String.format(
              Locale.ROOT, "overhead %.3f, at most %.3f allowed", Overhead.of(code), most));
      return;
    }
    ErasurePatterns patterns = new ErasurePatterns(code);
    ErasurePatterns.Steps steps = patterns.steps(PATTERNS, random(1));
    Network rates = Network.of(request.topology()).with(request.repairs().rates());
    Network network =
        rates.with(
            Network.Volume.ofBlock(request.blockSize(), code.alpha(), request.repairs().slice()));
    for (Placed placed : placements(code)) {
      EncodedCluster cluster =
          new EncodedCluster(
              request.topology(), placed.rule(), request.blockSize(), request.nodeBytes());
      SampleStripes study =
          new SampleStripes(cluster, patterns, network, request.samples(), random(2));
      measure(placed, cluster, patterns, steps, study);
    }
  }

  private record Tolerances(int nodes, int racks, int sites) {}

  private Tolerances tolerances(SampleStripes study, StripeRule rule, ErasureCode code) {
    Topology topology = request.topology();
    int nodes = Tolerance.counted(code);
    // Stripes differ in which blocks share a rack: only their number is promised.
    int racks =
        StripeRules.columns(code).isEmpty()
            ? Math.min(nodes / rule.perRack(), topology.racks() - 1)
            : study.survived(
                topology.racks(),
                topology::rackOf,
                Math.max(MOST_RACKS, request.requirements().racks()));
    int sites = 0;
    if (topology.sites() > 1) {
      sites = study.survived(topology.sites(), topology::siteOf, topology.sites() - 1);
      if (rule.sites().isEmpty()) {
        // Other stripes may be placed worse than the samples: the rule does not know sites.
        sites = Math.min(sites, nodes / Math.min(code.n(), mostAtASite(rule)));
      }
    }
    return new Tolerances(nodes, topology.racks() == 1 ? 0 : racks, sites);
  }

  /** Most blocks of a stripe that a rule of racks may place at one site. */
  private int mostAtASite(StripeRule rule) {
    Topology topology = request.topology();
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
      Placed placed,
      EncodedCluster cluster,
      ErasurePatterns patterns,
      ErasurePatterns.Steps steps,
      SampleStripes study) {
    ErasureCode code = cluster.code();
    List<RepairPlanner> shapes = RepairPlanners.shapes();
    Tolerances tolerances = tolerances(study, placed.rule(), code);
    double conversion = study.conversion(random(3));
    PlannedRepairs.Samples planned =
        PlannedRepairs.Samples.of(
            cluster, request.repairs(), shapes, patterns, request.samples(), random(4));
    Map<String, Double> reads = study.readSeconds(shapes, random(5));
    double failures = request.failures().lostNodes(request.topology());
    for (RepairPlanner shape : shapes) {
      PlannedRepairs repairs;
      try {
        repairs = planned.repairs(shape, failures);
      } catch (OverloadException e) {
        reject(
            code.name(),
            placed.name(),
            shape.name(),
            Cause.IMPOSSIBLE,
            String.valueOf(e.getMessage()));
        continue;
      }
      PlannedRepairs.Level level = repairs.levels().get(0);
      candidates.add(
          new Candidate(
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
      EncodedCluster cluster,
      ErasurePatterns patterns,
      ErasurePatterns.Steps steps,
      PlannedRepairs repairs) {
    if (request.isMarkov()) {
      Optional<StripeMarkovChain> chain =
          StripeMarkovChain.of(
              cluster.code().n(), request.failures().node(), repairs, Order.TOGETHER, steps);
      if (chain.isPresent()) {
        return Durability.of(cluster, chain.get().losses(), chain.get().lostBlocks());
      }
    }
    StripeModel model =
        new StripeModel(cluster, patterns, request.failures(), repairs, Course.PRODUCT);
    ImportanceSampling.Result sampled =
        new ImportanceSampling(model, Durability.SECONDS_PER_YEAR)
            .run(EFFORT, request.seed(), UnaryOperator.identity());
    return Durability.of(cluster, sampled.losses().mean(), sampled.lostBlocks().mean());
  }

  /** The placements of a code that the cluster allows; rejects the others. */
  private List<Placed> placements(ErasureCode code) {
    Map<String, Placed> found = new LinkedHashMap<>();
    tryRule(code, "racks", () -> byRacks(code, request.perRack()), found);
    int asked = Math.max(1, request.requirements().racks());
    int most = Tolerance.counted(code) / asked;
    boolean wide = request.perRack().isEmpty() && StripeRules.columns(code).isEmpty();
    if (wide && most > 1 && !found.isEmpty()) {
      // As many blocks a rack as tolerance allows: repairs read from fewer racks.
      tryRule(code, "racks", () -> byRacks(code, OptionalInt.of(most)), found);
    }
    if (request.topology().sites() > 1 && StripeRules.columns(code).isEmpty()) {
      for (SitePolicy policy : List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE)) {
        tryRule(
            code,
            policy.name(),
            () ->
                SiteRules.on(
                    code, policy, request.perRack(), EligibleNodes.all(request.topology())),
            found);
      }
    }
    return List.copyOf(found.values());
  }

  private StripeRule byRacks(ErasureCode code, OptionalInt perRack) {
    return StripeRules.on(code, perRack, EligibleNodes.all(request.topology()));
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
      reject(code.name(), name, "", Cause.IMPOSSIBLE, String.valueOf(e.getMessage()));
    }
  }

  private void reject(String code, String placement, String shape, Cause cause, String reason) {
    rejected.add(new Rejected(code, placement, shape, cause, reason, Optional.empty()));
  }

  private Advice rank(double nines) {
    List<Candidate> within = new ArrayList<>();
    for (Candidate candidate : candidates) {
      List<String> breaches = candidate.breaches(request.requirements(), nines);
      if (breaches.isEmpty()) {
        within.add(candidate);
      } else {
        reject(candidate, Cause.REQUIREMENT, String.join("; ", breaches));
      }
    }
    List<Candidate> best =
        within.stream().filter(c -> within.stream().noneMatch(c::isDominatedBy)).toList();
    List<Candidate> front = new ArrayList<>();
    for (Candidate candidate : best) {
      // Several shapes often have the same grades.
      Optional<Candidate> same =
          front.stream().filter(other -> isAlike(candidate, other)).findFirst();
      if (same.isPresent()) {
        reject(candidate, Cause.DOMINATED, "equal in all criteria to " + title(same.get()));
      } else {
        front.add(candidate);
      }
    }
    for (Candidate candidate : within) {
      // A dominated candidate is dominated by one of the front, too.
      front.stream()
          .filter(candidate::isDominatedBy)
          .findFirst()
          .ifPresent(better -> reject(candidate, Cause.DOMINATED, comparison(candidate, better)));
    }
    return new Advice(nines, ranked(front), rejected);
  }

  private static String title(Candidate candidate) {
    return "%s, %s by %s".formatted(candidate.code(), candidate.placement(), candidate.shape());
  }

  private static boolean isAlike(Candidate candidate, Candidate other) {
    return Arrays.stream(Criterion.values()).allMatch(f -> f.grade(candidate) == f.grade(other));
  }

  private void reject(Candidate candidate, Cause cause, String reason) {
    rejected.add(
        new Rejected(
            candidate.code(),
            candidate.placement(),
            candidate.shape(),
            cause,
            reason,
            Optional.of(candidate)));
  }

  private static String comparison(Candidate candidate, Candidate by) {
    List<String> better = new ArrayList<>();
    for (Criterion criterion : Criterion.values()) {
      if (criterion.grade(by) < criterion.grade(candidate)) {
        better.add(criterion.text(by) + " instead of " + criterion.text(candidate));
      }
    }
    return title(by) + " is better: " + String.join(", ", better);
  }

  private static List<Ranked> ranked(List<Candidate> front) {
    List<Ranked> ranked = new ArrayList<>();
    for (Candidate candidate : front) {
      double places = 0;
      for (Criterion criterion : Criterion.values()) {
        places +=
            1 + front.stream().filter(o -> criterion.grade(o) < criterion.grade(candidate)).count();
      }
      ranked.add(new Ranked(candidate, places / Criterion.values().length));
    }
    ranked.sort(
        Comparator.comparingDouble(Ranked::score)
            .thenComparingDouble(r -> r.candidate().overhead())
            .thenComparing(r -> r.candidate().code()));
    return ranked;
  }

  private RandomGenerator random(long use) {
    return RandomStreams.single(request.seed() * 31 + use);
  }
}
