package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Solver;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.manage.RepairJob;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * A cluster of encoded stripes over days: nodes fail, some come back, latent sector errors arise,
 * clients read, and the product's repair manager rebuilds blocks that are missing for longer than
 * its delay.
 */
public final class OutageRun {
  /** Time after the last failure in which each waiting repair is tried. */
  private static final double SETTLE_SECONDS = 1;

  private final Setting setting;
  private final SimulatedNetwork network;
  private final Simulation simulation;
  private final Topology topology;
  private final CompactStripes table;
  private final RepairService service;
  private final RepairManager manager;
  private final LatentSectorErrors latent;
  private final BlockReads reads;
  private final RandomGenerator clients;
  private final PoissonArrivals readers;

  /** The nodes of stripes whose blocks repairs have moved. */
  private final Map<Long, int[]> moved = new HashMap<>();

  /** By node, the stripes whose blocks repairs have moved there. */
  private final Map<Integer, Set<Long>> movedTo = new HashMap<>();

  /** By stripe, blocks that are lost and not rebuilt. */
  private final Map<Long, Set<Integer>> gone = new HashMap<>();

  /** By stripe that misses blocks, since when. */
  private final Map<Long, Long> damagedSince = new TreeMap<>();

  private final int[] down;
  private double degradedHours;
  private double longest;
  private int rebuilt;
  private int lostStripes;
  private int foundOnRead;

  /**
   * Settings of a run.
   *
   * @param rule the code, one block a rack
   * @param blockBytes bytes of a block
   * @param stripes on the cluster
   * @param failures of nodes, racks and sites; what was lost is back at once, but empty
   * @param latentRate latent sector errors a second in all blocks together
   * @param scrubSeconds time in which the scrubber reads each block once
   * @param readRate data blocks that clients read a second
   * @param seconds for which errors arise and clients read
   * @param scheduler chooses helpers and destinations
   * @param planning shape of repairs and the network as planners see it
   * @param management budgets, delays and time-outs
   * @param slices of streams
   */
  public record Setting(
      StripeRule rule,
      long blockBytes,
      long stripes,
      FailureTrace failures,
      double latentRate,
      double scrubSeconds,
      double readRate,
      double seconds,
      RepairScheduler scheduler,
      PlanSettings planning,
      RepairManager.Settings management,
      RecoveryRun.SlicePolicy slices) {}

  /**
   * Measurements of a run.
   *
   * @param outages number of failures
   * @param rebuilt number of rebuilt blocks
   * @param degradedHours hours for which a stripe missed blocks, until it was whole, lost data, or
   *     the last failure and the days were over, summed over stripes
   * @param longestSeconds longest of these times
   * @param lostStripes number of stripes that lost data
   * @param latentErrors number of latent sector errors
   * @param foundByScrub number of these that the scrubber found
   * @param foundOnRead number of these that a client or a repair found by reading; the others were
   *     lost with their block
   * @param reads times of reads
   * @param crossRackBytes bytes between racks
   */
  public record Result(
      int outages,
      int rebuilt,
      double degradedHours,
      double longestSeconds,
      int lostStripes,
      int latentErrors,
      int foundByScrub,
      int foundOnRead,
      BlockReads.Result reads,
      long crossRackBytes) {}

  /** A cluster whose nodes are up. */
  public OutageRun(Setting setting, SimulatedNetwork network, RandomStreams streams) {
    this.setting = setting;
    this.network = network;
    simulation = network.simulation();
    topology = network.fabric().topology();
    table =
        new CompactStripes(
            topology, setting.rule().code().n(), setting.stripes(), streams.of("stripes"));
    manager =
        new RepairManager(
            setting.management(),
            setting.scheduler(),
            setting.planning(),
            ClusterSnapshot.of(topology),
            streams.of("scheduler"));
    service =
        new RepairService(
            simulation, setting.slices().on(network), manager, this::repaired, this::damaged);
    down = new int[topology.nodes()];
    latent =
        new LatentSectorErrors(
            new LatentSectorErrors.Setting(setting.latentRate(), setting.scrubSeconds()),
            simulation,
            new Blocks(),
            streams);
    reads =
        new BlockReads(
            network,
            new DegradedReads(
                new DegradedReads.Setting(
                    setting.rule().code(),
                    setting.blockBytes(),
                    setting.planning().planner(),
                    setting.planning().network(),
                    setting.slices()),
                network));
    clients = streams.of("clients");
    readers =
        new PoissonArrivals(
            simulation, setting.readRate(), streams.of("read arrivals"), this::read);
  }

  /** Runs all failures and the repairs after them. */
  public Result run() {
    double last = setting.seconds();
    for (FailureTrace.Event failure : setting.failures().events()) {
      simulation.at(Simulation.nanos(failure.at()), () -> begin(failure));
      last = Math.max(last, Double.isInfinite(failure.until()) ? failure.at() : failure.until());
    }
    simulation.at(
        Simulation.nanos(setting.seconds()),
        () -> {
          latent.stop();
          readers.stop();
        });
    simulation.runUntil(Simulation.nanos(last + SETTLE_SECONDS));
    // Repairs without a helper or a destination would be tried again for ever.
    while (!(simulation.pending() <= 1 && manager.isStuck()) && simulation.step()) {}
    long end = Simulation.nanos(last);
    List.copyOf(damagedSince.keySet()).forEach(stripe -> count(stripe, end));
    return new Result(
        setting.failures().events().size(),
        rebuilt,
        degradedHours,
        longest,
        lostStripes,
        latent.arisen(),
        latent.scrubbed(),
        foundOnRead,
        reads.result(),
        network.crossRackBytes());
  }

  private int[] nodes(long stripe) {
    int[] own = moved.get(stripe);
    return own != null ? own : table.nodes(stripe);
  }

  private List<Long> stripesOn(List<Integer> nodes) {
    boolean[] wanted = new boolean[topology.nodes()];
    nodes.forEach(node -> wanted[node] = true);
    Set<Long> found = new HashSet<>(table.on(wanted));
    nodes.forEach(node -> found.addAll(movedTo.getOrDefault(node, Set.of())));
    return found.stream()
        .filter(stripe -> IntStream.of(nodes(stripe)).anyMatch(node -> wanted[node]))
        .sorted()
        .toList();
  }

  private void begin(FailureTrace.Event failure) {
    List<Integer> nodes = failure.domain().nodes(topology, failure.index());
    nodes.forEach(node -> down[node]++);
    service.update(servers());
    List<Long> hit = stripesOn(nodes);
    if (failure.lost()) {
      for (long stripe : hit) {
        int[] nodeOf = nodes(stripe);
        for (int block = 0; block < nodeOf.length; block++) {
          if (nodes.contains(nodeOf[block])) {
            gone.computeIfAbsent(stripe, unused -> new HashSet<>()).add(block);
            latent.forget(stripe, block);
          }
        }
      }
    }
    nodes.forEach(service::nodeFailed);
    hit.forEach(this::update);
    if (!failure.lost() && Double.isInfinite(failure.until())) {
      return;
    }
    // An empty disk takes the place of a lost one at once.
    long back = failure.lost() ? simulation.now() : Simulation.nanos(failure.until());
    simulation.at(
        back,
        () -> {
          nodes.forEach(node -> down[node]--);
          service.update(servers());
          hit.forEach(this::update);
        });
  }

  private ClusterSnapshot servers() {
    ClusterSnapshot servers = ClusterSnapshot.of(topology);
    for (int node = 0; node < down.length; node++) {
      if (down[node] > 0) {
        servers = servers.without(node);
      }
    }
    return servers;
  }

  /** Requests the repair of a stripe that misses blocks, or withdraws the request. */
  private void update(long stripe) {
    int[] nodeOf = nodes(stripe);
    Set<Integer> lostForGood = gone.getOrDefault(stripe, Set.of());
    List<Integer> missing = new ArrayList<>();
    for (int block = 0; block < nodeOf.length; block++) {
      if (down[nodeOf[block]] > 0 || lostForGood.contains(block)) {
        missing.add(block);
      }
    }
    String id = "s" + stripe;
    if (!missing.isEmpty()) {
      damagedSince.putIfAbsent(stripe, simulation.now());
    }
    if (missing.isEmpty()) {
      count(stripe, simulation.now());
      service.withdraw(id);
    } else if (!Solver.decodable(setting.rule().code(), missing)) {
      service.withdraw(id);
      if (!Solver.decodable(setting.rule().code(), List.copyOf(lostForGood))
          && gone.remove(stripe) != null) {
        lostStripes++;
        count(stripe, simulation.now());
      }
    } else {
      service.submit(
          LostStripe.of(id, setting.rule(), setting.blockBytes(), nodeOf, missing),
          new RepairPriority(Urgency.LOSS, service.millis()));
    }
  }

  /** Counts the time for which a stripe missed blocks. */
  private void count(long stripe, long until) {
    Long since = damagedSince.remove(stripe);
    if (since != null) {
      double seconds = Simulation.seconds(Math.max(0, until - since));
      degradedHours += seconds / 3600;
      longest = Math.max(longest, seconds);
    }
  }

  private static long stripe(RepairJob job) {
    return Long.parseLong(job.repair().stripe().id().substring(1));
  }

  /** The blocks as latent errors see them. */
  private final class Blocks implements LatentSectorErrors.Blocks {
    @Override
    public long stripes() {
      return setting.stripes();
    }

    @Override
    public int width() {
      return setting.rule().code().n();
    }

    @Override
    public boolean isThere(long stripe, int block) {
      return !isGone(stripe, block);
    }

    @Override
    public void scrubbed(long stripe, int block) {
      lose(stripe, List.of(block));
    }
  }

  private boolean isGone(long stripe, int block) {
    return gone.getOrDefault(stripe, Set.of()).contains(block);
  }

  private void lose(long stripe, Collection<Integer> blocks) {
    gone.computeIfAbsent(stripe, unused -> new HashSet<>()).addAll(blocks);
    update(stripe);
  }

  /** The damaged helpers of a job, which count as lost from now on. */
  private Set<Integer> damaged(RepairJob job) {
    Set<Integer> bad = new TreeSet<>(job.repair().helpers());
    bad.retainAll(latent.of(stripe(job)));
    if (!bad.isEmpty()) {
      simulation.after(0, () -> found(stripe(job), bad));
    }
    return bad;
  }

  private void found(long stripe, Collection<Integer> blocks) {
    List<Integer> fresh = blocks.stream().filter(b -> latent.forget(stripe, b)).toList();
    foundOnRead += fresh.size();
    if (!fresh.isEmpty()) {
      lose(stripe, fresh);
    }
  }

  /** A client reads a data block; it learns that a block is damaged when it has read it. */
  private void read() {
    long begin = simulation.now();
    int[] up = IntStream.range(0, down.length).filter(node -> down[node] == 0).toArray();
    long stripe = clients.nextLong(setting.stripes());
    int block = clients.nextInt(setting.rule().code().k());
    if (up.length == 0) {
      return;
    }
    int client = up[clients.nextInt(up.length)];
    int node = nodes(stripe)[block];
    int[] copy = {node};
    if (down[node] > 0 || isGone(stripe, block)) {
      rebuild(client, begin, stripe, block);
    } else if (latent.of(stripe).contains(block)) {
      reads.fetch(
          client,
          copy,
          clients,
          () -> {
            found(stripe, List.of(block));
            rebuild(client, begin, stripe, block);
          });
    } else {
      reads.read(client, copy, clients);
    }
  }

  private void rebuild(int client, long begin, long stripe, int block) {
    int[] nodeOf = nodes(stripe);
    reads.rebuild(
        client,
        begin,
        block,
        nodeOf,
        b -> down[nodeOf[b]] == 0 && !isGone(stripe, b) && !latent.of(stripe).contains(b));
  }

  private void repaired(RepairJob job) {
    long stripe = stripe(job);
    int[] nodeOf = nodes(stripe).clone();
    Set<Integer> lost = gone.getOrDefault(stripe, new HashSet<>());
    job.repair()
        .destinations()
        .forEach(
            (block, node) -> {
              nodeOf[block] = node;
              lost.remove(block);
              latent.forget(stripe, block);
              movedTo.computeIfAbsent(node, unused -> new HashSet<>()).add(stripe);
              rebuilt++;
            });
    if (lost.isEmpty()) {
      gone.remove(stripe);
    }
    moved.put(stripe, nodeOf);
    update(stripe);
  }
}
