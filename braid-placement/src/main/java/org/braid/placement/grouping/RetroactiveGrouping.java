package org.braid.placement.grouping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.placement.grouping.KeptReplicas.Cluster;

/**
 * Groups blocks that are there into stripes, and measures what a grouping costs.
 *
 * <p>Every rack keeps a few open stripes for which it is the core rack. A block joins the fullest
 * open stripe of one of its own racks whose flow test it passes; a stripe of k blocks is closed. In
 * the end the fullest open stripes are filled with the blocks of the others: first with blocks that
 * pass both tests, then with blocks that are downloaded, last with blocks that are relocated too.
 * So all stripes but the last few are free of both.
 */
public final class RetroactiveGrouping {
  /** Open stripes a rack; more find a place for blocks that nearly full stripes cannot take. */
  private static final int OPEN_STRIPES = 12;

  private final Topology topology;
  private final ReplicaTable table;
  private final Cluster cluster;
  private final int k;
  private final boolean written;
  private final List<int[]> stripes = new ArrayList<>();
  private final List<Integer> coreRacks = new ArrayList<>();
  private long downloads;
  private long relocations;

  private RetroactiveGrouping(
      Topology topology,
      IntPredicate eligible,
      ReplicaTable table,
      StripeRule rule,
      boolean written) {
    this.topology = topology;
    this.table = table;
    this.cluster = new Cluster(topology, table, eligible, rule);
    this.k = rule.code().k();
    this.written = written;
  }

  private record Open(int rack, KeptReplicas kept) {}

  /**
   * Groups blocks into stripes of k that share a rack and pass the flow test, as far as there are
   * such. Without randomness: the same blocks give the same stripes.
   *
   * @param eligible nodes that may keep a block of a stripe
   * @param rule where the blocks of a stripe may be after encoding
   */
  public static Grouping group(
      Topology topology, IntPredicate eligible, ReplicaTable table, StripeRule rule) {
    return new RetroactiveGrouping(topology, eligible, table, rule, false).byRacks();
  }

  /**
   * Groups blocks that encoding-aware replication placed across files (EAR section 3.1.1) the way
   * they were placed. With at least three replicas the core rack of a block is the only rack with
   * one replica of it, so a block joins stripes of that rack only; where the core rack cannot be
   * told, those of any of its racks. Blocks in the order in which they were written so form the
   * stripes that placement foresaw, and blocks beside gaps that deletions left form others.
   *
   * @param table blocks in the order in which they were written
   */
  public static Grouping asWritten(
      Topology topology, IntPredicate eligible, ReplicaTable table, StripeRule rule) {
    return new RetroactiveGrouping(topology, eligible, table, rule, true).byRacks();
  }

  /**
   * Groups blocks as {@link #asWritten} does, but does not fill up with others the stripes that are
   * still open in the end: nothing is downloaded or relocated, at the price of more parity. Only
   * blocks that are too few to be worth parity of their own are downloaded to open stripes.
   *
   * @param least blocks with which a stripe is worth its parity; blocks of smaller open ones are
   *     the rest, unless another stripe takes them
   */
  public static Grouping asWrittenOpen(
      Topology topology, IntPredicate eligible, ReplicaTable table, int least, StripeRule rule) {
    RetroactiveGrouping run = new RetroactiveGrouping(topology, eligible, table, rule, true);
    Leftovers left = run.open();
    List<Open> kept =
        left.stripes().stream().filter(stripe -> stripe.kept().size() >= least).toList();
    Deque<Integer> pool = new ArrayDeque<>(left.pool());
    left.stripes().stream()
        .filter(stripe -> stripe.kept().size() < least)
        .forEach(stripe -> IntStream.of(stripe.kept().blocks()).forEach(pool::add));
    run.fill(kept, pool, 0);
    if (pool.size() < least) {
      run.fill(kept, pool, 1);
      run.fill(kept, pool, 2);
    }
    kept.forEach(stripe -> run.close(stripe.kept()));
    return run.result(pool.stream().mapToInt(block -> block).toArray());
  }

  /** The baseline: blocks in file order, k at a time. */
  public static Grouping naive(
      Topology topology, IntPredicate eligible, ReplicaTable table, StripeRule rule) {
    RetroactiveGrouping run = new RetroactiveGrouping(topology, eligible, table, rule, false);
    int k = run.k;
    int full = table.blocks() / k * k;
    for (int block = 0; block < full; block += k) {
      KeptReplicas stripe = new KeptReplicas(run.cluster, k);
      IntStream.range(block, block + k).forEach(stripe::add);
      run.close(stripe);
    }
    return run.result(IntStream.range(full, table.blocks()).toArray());
  }

  private Grouping byRacks() {
    Leftovers left = open();
    return finish(left.stripes(), new ArrayDeque<>(left.pool()));
  }

  /** What is in no full stripe after each block was looked at once. */
  private record Leftovers(List<Open> stripes, Deque<Integer> pool) {}

  private Leftovers open() {
    List<List<KeptReplicas>> open = new ArrayList<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      open.add(new ArrayList<>());
    }
    Deque<Integer> pool = new ArrayDeque<>();
    for (int block = 0; block < table.blocks(); block++) {
      if (!join(block, open) && !start(block, open)) {
        pool.add(block);
      }
    }
    List<Open> stripes = new ArrayList<>();
    for (int rack = 0; rack < open.size(); rack++) {
      for (KeptReplicas stripe : open.get(rack)) {
        stripes.add(new Open(rack, stripe));
      }
    }
    return new Leftovers(stripes, pool);
  }

  /** The racks whose stripes a block may join, perhaps with repetitions. */
  private int[] racks(int block) {
    int core = written ? PreEncodingStore.coreRack(table.nodes(block), topology) : -1;
    return core >= 0
        ? new int[] {core}
        : IntStream.of(table.nodes(block)).map(cluster::rackOf).toArray();
  }

  /** Adds a block to the fullest open stripe of its racks that takes it. */
  private boolean join(int block, List<List<KeptReplicas>> open) {
    int[] racks = racks(block);
    for (int size = k - 1; size > 0; size--) {
      for (int rack : racks) {
        List<KeptReplicas> stripes = open.get(rack);
        for (int i = 0; i < stripes.size(); i++) {
          KeptReplicas stripe = stripes.get(i);
          if (stripe.size() == size && stripe.addIfKept(block)) {
            if (stripe.isFull()) {
              stripes.remove(i);
              close(stripe);
            }
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Opens a stripe with a block, in its rack that has fewest. */
  private boolean start(int block, List<List<KeptReplicas>> open) {
    KeptReplicas stripe = new KeptReplicas(cluster, k);
    if (!stripe.addIfKept(block)) {
      return false;
    }
    int[] racks = racks(block);
    List<KeptReplicas> fewest = open.get(racks[0]);
    for (int rack : racks) {
      List<KeptReplicas> stripes = open.get(rack);
      fewest = stripes.size() < fewest.size() ? stripes : fewest;
    }
    if (fewest.size() == OPEN_STRIPES) {
      return false;
    }
    fewest.add(stripe);
    if (stripe.isFull()) {
      fewest.remove(stripe);
      close(stripe);
    }
    return true;
  }

  private Grouping finish(List<Open> open, Deque<Integer> pool) {
    List<Open> left = new ArrayList<>(open);
    int blocks = pool.size() + left.stream().mapToInt(stripe -> stripe.kept().size()).sum();
    left.sort(Comparator.comparingInt(o -> -o.kept().size()));
    int count = blocks / k;
    List<Open> bases = new ArrayList<>(left.subList(0, Math.min(count, left.size())));
    for (Open dissolved : left.subList(bases.size(), left.size())) {
      IntStream.of(dissolved.kept().blocks()).forEach(pool::add);
    }
    while (bases.size() < count) {
      int[] blocksLeft = pool.stream().mapToInt(block -> block).toArray();
      bases.add(new Open(cluster.fullestRack(blocksLeft), new KeptReplicas(cluster, k)));
    }
    fill(bases, pool, 0);
    fill(bases, pool, 1);
    fill(bases, pool, 2);
    bases.forEach(base -> close(base.kept()));
    return result(pool.stream().mapToInt(block -> block).toArray());
  }

  /**
   * Fills stripes from the pool with blocks that are free of downloads and relocations (concession
   * 0), that are downloaded (1), or any (2).
   */
  private void fill(List<Open> bases, Deque<Integer> pool, int concession) {
    for (Open base : bases) {
      for (int tried = pool.size(); tried > 0 && !base.kept().isFull(); tried--) {
        int block = pool.remove();
        boolean passes = concession > 0 || cluster.isInRack(block, base.rack());
        if (concession == 2) {
          base.kept().add(block);
        } else if (!passes || !base.kept().addIfKept(block)) {
          pool.add(block);
        }
      }
    }
  }

  private void close(KeptReplicas stripe) {
    int[] blocks = stripe.blocks();
    int rack = cluster.fullestRack(blocks);
    downloads += cluster.downloads(blocks, rack);
    relocations += stripe.relocations();
    stripes.add(blocks);
    coreRacks.add(rack);
  }

  private Grouping result(int[] rest) {
    return new Grouping(
        stripes, coreRacks.stream().mapToInt(rack -> rack).toArray(), rest, downloads, relocations);
  }
}
