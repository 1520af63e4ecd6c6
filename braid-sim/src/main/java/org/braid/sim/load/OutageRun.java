package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Solver;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.Job;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.Servers;
import org.braid.sim.load.Outages.Outage;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * A cluster of encoded stripes over days: nodes go down, some come back, sectors become unreadable,
 * clients read, and the product's repair manager rebuilds what stays away for longer than its
 * delay.
 */
public final class OutageRun {
  private final Setting setting;
  private final Wires wires;
  private final Simulation simulation;
  private final Topology topology;
  private final StripeTable table;
  private final RepairService service;
  private final RepairManager manager;
  private final LatentErrors latent;
  private final BlockReads reads;
  private final RandomGenerator clients;
  private final Arrivals readers;

  /** By stripe, its nodes, where repairs have moved blocks. */
  private final Map<Long, int[]> moved = new HashMap<>();

  /** By node, the stripes of which repairs have put blocks there. */
  private final Map<Integer, Set<Long>> movedTo = new HashMap<>();

  /** By stripe, blocks that are lost for good and not rebuilt. */
  private final Map<Long, Set<Integer>> gone = new HashMap<>();

  private final Map<Long, Long> damagedSince = new HashMap<>();
  private final int[] down;
  private double degradedHours;
  private double longest;
  private int rebuilt;
  private int lostStripes;
  private int foundOnRead;

  /**
   * What is run.
   *
   * @param rule the code, one block a rack
   * @param blockBytes bytes of a block
   * @param stripes on the cluster
   * @param outages in their order
   * @param latentRate latent sector errors a second in all blocks together
   * @param scrubSeconds in which the scrubber reads each block once
   * @param readRate data blocks that clients read a second
   * @param seconds for which errors arise and clients read
   */
  public record Setting(
      StripeRule rule,
      long blockBytes,
      long stripes,
      List<Outage> outages,
      double latentRate,
      double scrubSeconds,
      double readRate,
      double seconds,
      RepairScheduler scheduler,
      Shaping shaping,
      RepairManager.Settings management,
      RecoveryRun.SlicePolicy slices) {
    public Setting {
      outages = List.copyOf(outages);
    }
  }

  /**
   * What was measured.
   *
   * @param outages that began
   * @param rebuilt blocks
   * @param degradedHours hours in which a stripe missed blocks, summed over stripes
   * @param longestSeconds for which one did
   * @param lostStripes stripes that missed more blocks for good than their code survives
   * @param latentErrors that arose
   * @param foundByScrub of them found by the scrubber
   * @param foundOnRead of them found by a client or a repair that read the block; the others were
   *     lost with it
   * @param reads mean times of reads
   * @param crossRackBytes that moved between racks
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

  /** A cluster whose nodes are all up. */
  public OutageRun(Setting setting, Wires wires, Streams streams) {
    this.setting = setting;
    this.wires = wires;
    simulation = wires.simulation();
    topology = wires.fabric().topology();
    table =
        new StripeTable(
            topology, setting.rule().code().n(), setting.stripes(), streams.of("stripes"));
    manager =
        new RepairManager(
            setting.management(),
            setting.scheduler(),
            setting.shaping(),
            Servers.of(topology),
            streams.of("scheduler"));
    service =
        new RepairService(
            simulation, setting.slices().on(wires), manager, this::repaired, this::damaged);
    down = new int[topology.nodes()];
    latent =
        new LatentErrors(
            new LatentErrors.Setting(setting.latentRate(), setting.scrubSeconds()),
            simulation,
            new Blocks(),
            streams);
    reads =
        new BlockReads(
            wires,
            new Rebuilding(
                new Rebuilding.Setting(
                    setting.rule().code(),
                    setting.blockBytes(),
                    setting.shaping().planner(),
                    setting.shaping().network(),
                    setting.slices()),
                wires));
    clients = streams.of("clients");
    readers = new Arrivals(simulation, setting.readRate(), streams.of("read arrivals"), this::read);
  }

  /** Runs all outages, and the repairs after them. */
  public Result run() {
    for (Outage outage : setting.outages()) {
      simulation.at(outage.at(), () -> begin(outage));
    }
    simulation.at(
        Simulation.nanos(setting.seconds()),
        () -> {
          latent.stop();
          readers.stop();
        });
    simulation.run();
    return new Result(
        setting.outages().size(),
        rebuilt,
        degradedHours,
        longest,
        lostStripes,
        latent.arisen(),
        latent.scrubbed(),
        foundOnRead,
        reads.result(),
        wires.crossRackBytes());
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

  private void begin(Outage outage) {
    outage.nodes().forEach(node -> down[node]++);
    service.update(servers());
    List<Long> hit = stripesOn(outage.nodes());
    if (outage.isLoss()) {
      for (long stripe : hit) {
        int[] nodeOf = nodes(stripe);
        for (int block = 0; block < nodeOf.length; block++) {
          if (outage.nodes().contains(nodeOf[block])) {
            gone.computeIfAbsent(stripe, unused -> new HashSet<>()).add(block);
            latent.forget(stripe, block);
          }
        }
      }
    }
    outage.nodes().forEach(service::nodeFailed);
    hit.forEach(this::look);
    if (outage.backAt() == Outages.NEVER) {
      return;
    }
    // A new disk takes the place of a lost one at once; it holds nothing.
    long back = outage.isLoss() ? simulation.now() : outage.backAt();
    simulation.at(
        back,
        () -> {
          outage.nodes().forEach(node -> down[node]--);
          service.update(servers());
          hit.forEach(this::look);
        });
  }

  private Servers servers() {
    Servers servers = Servers.of(topology);
    for (int node = 0; node < down.length; node++) {
      if (down[node] > 0) {
        servers = servers.without(node);
      }
    }
    return servers;
  }

  /** Looks what a stripe misses now, and asks for its repair or takes that back. */
  private void look(long stripe) {
    int[] nodeOf = nodes(stripe);
    Set<Integer> lostForGood = gone.getOrDefault(stripe, Set.of());
    List<Integer> missing = new ArrayList<>();
    for (int block = 0; block < nodeOf.length; block++) {
      if (down[nodeOf[block]] > 0 || lostForGood.contains(block)) {
        missing.add(block);
      }
    }
    String id = "s" + stripe;
    if (missing.isEmpty()) {
      Long since = damagedSince.remove(stripe);
      if (since != null) {
        double seconds = Simulation.seconds(simulation.now() - since);
        degradedHours += seconds / 3600;
        longest = Math.max(longest, seconds);
      }
      service.withdraw(id);
    } else if (!Solver.decodable(setting.rule().code(), missing)) {
      service.withdraw(id);
      if (!Solver.decodable(setting.rule().code(), List.copyOf(lostForGood))
          && gone.remove(stripe) != null) {
        lostStripes++;
        damagedSince.remove(stripe);
      }
    } else {
      damagedSince.putIfAbsent(stripe, simulation.now());
      service.submit(
          LostStripe.of(id, setting.rule(), setting.blockBytes(), nodeOf, missing),
          new Demand(Urgency.LOSS, service.millis()));
    }
  }

  private static long stripe(Job job) {
    return Long.parseLong(job.assignment().stripe().id().substring(1));
  }

  /** The blocks as latent errors see them. */
  private final class Blocks implements LatentErrors.Blocks {
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
    look(stripe);
  }

  /** The helpers of a job that turn out to be damaged; from now on they count as lost. */
  private Set<Integer> damaged(Job job) {
    Set<Integer> bad = new TreeSet<>(job.assignment().helpers());
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

  /** A client reads a data block; if that is damaged, it knows when it has read it. */
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

  private void repaired(Job job) {
    long stripe = stripe(job);
    int[] nodeOf = nodes(stripe).clone();
    Set<Integer> lost = gone.getOrDefault(stripe, new HashSet<>());
    job.assignment()
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
    look(stripe);
  }
}
