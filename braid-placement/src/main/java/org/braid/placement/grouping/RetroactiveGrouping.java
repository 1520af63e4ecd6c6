package org.braid.placement.grouping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.grouping.IncrementalMatching.Context;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.rule.StripeRule;

/**
 * Groups stored blocks into stripes, and counts the downloads and relocations that encoding them
 * takes.
 *
 * <p>Each rack has a few open stripes for which it is the core rack. A block joins the fullest open
 * stripe of one of its racks in which all blocks can still keep a replica. A stripe of k blocks is
 * closed. In the end the blocks of the emptier open stripes fill the fuller ones: first blocks that
 * need no download and no relocation, then blocks that need a download, last blocks that need a
 * relocation. So all stripes but the last few are free of both.
 */
public final class RetroactiveGrouping {
  /** Open stripes of a rack. The more there are, the easier a block finds one that takes it. */
  private static final int OPEN_STRIPES = 12;

  /** Blocks that are tried to fill a stripe up; where so many fit badly, others do, too. */
  private static final int MOST_TRIED = 2000;

  private final Topology topology;
  private final ReplicaTable table;
  private final Context context;
  private final int k;
  private final boolean written;
  private final List<int[]> stripes = new ArrayList<>();
  private final List<Integer> coreRacks = new ArrayList<>();
  private long downloads;
  private long relocations;

  private RetroactiveGrouping(
      EligibleNodes eligible, ReplicaTable table, StripeRule rule, boolean written) {
    this.topology = eligible.topology();
    this.table = table;
    this.context = new Context(eligible, table, rule);
    this.k = rule.code().k();
    this.written = written;
  }

  private record Open(int rack, IncrementalMatching kept) {}

  /**
   * Groups blocks into stripes of k, as many as possible free of downloads and relocations. The
   * same blocks give the same stripes.
   *
   * @param eligible nodes that may keep a block of a stripe
   * @param rule where the blocks of a stripe may be after encoding
   */
  public static Grouping group(EligibleNodes eligible, ReplicaTable table, StripeRule rule) {
    return new RetroactiveGrouping(eligible, table, rule, false).byRacks();
  }

  /**
   * Groups blocks that encoding-aware replication placed across files (EAR section 3.1.1) the way
   * they were placed. The core rack of a block of at least three replicas is the only rack with
   * exactly one of them; the block joins stripes of that rack only. A block whose core rack cannot
   * be told joins stripes of any of its racks. Blocks in the order of writing so form the stripes
   * that placement foresaw; after deletions the neighbours of the deleted blocks form other
   * stripes.
   *
   * @param table blocks in the order in which they were written
   */
  public static Grouping asWritten(EligibleNodes eligible, ReplicaTable table, StripeRule rule) {
    return new RetroactiveGrouping(eligible, table, rule, true).byRacks();
  }

  /**
   * Groups blocks as {@link #asWritten} does, but leaves stripes open that are not full in the end:
   * nothing of them is downloaded or relocated, at the price of more parity. An open stripe that is
   * not worth parity is dissolved. Its blocks join other open stripes: those whose rack they share,
   * or else any in which they can stay and to which they are downloaded. Blocks that no stripe
   * takes are the rest if they are worth parity together; otherwise they join a stripe and are
   * relocated. Where all stripes have become full, one gives blocks back until the rest is worth
   * its parity.
   *
   * @param least blocks with which a stripe is worth its parity
   */
  public static Grouping asWrittenOpen(
      EligibleNodes eligible, ReplicaTable table, int least, StripeRule rule) {
    RetroactiveGrouping run = new RetroactiveGrouping(eligible, table, rule, true);
    Leftovers left = run.open();
    List<Open> kept =
        new ArrayList<>(
            left.stripes().stream().filter(stripe -> stripe.kept().size() >= least).toList());
    BlockQueue pool = left.pool();
    left.stripes().stream()
        .filter(stripe -> stripe.kept().size() < least)
        .forEach(stripe -> IntStream.of(stripe.kept().blocks()).forEach(pool::add));
    run.fill(kept, pool, 0);
    run.fill(kept, pool, 1);
    if (pool.size() < least) {
      run.fill(kept, pool, 2);
      giveBack(kept, pool, least);
    }
    kept.forEach(stripe -> run.close(stripe.kept()));
    return run.result(pool.blocks());
  }

  /** The baseline: blocks in file order, k at a time. */
  public static Grouping naive(EligibleNodes eligible, ReplicaTable table, StripeRule rule) {
    RetroactiveGrouping run = new RetroactiveGrouping(eligible, table, rule, false);
    int k = run.k;
    int full = table.blocks() / k * k;
    for (int block = 0; block < full; block += k) {
      IncrementalMatching stripe = new IncrementalMatching(run.context, k);
      IntStream.range(block, block + k).forEach(stripe::add);
      run.close(stripe);
    }
    return run.result(IntStream.range(full, table.blocks()).toArray());
  }

  private Grouping byRacks() {
    Leftovers left = open();
    return finish(left.stripes(), left.pool());
  }

  /** Open stripes, and blocks of no stripe, after one pass over the blocks. */
  private record Leftovers(List<Open> stripes, BlockQueue pool) {}

  private Leftovers open() {
    List<List<IncrementalMatching>> open = new ArrayList<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      open.add(new ArrayList<>());
    }
    BlockQueue pool = new BlockQueue();
    for (int block = 0; block < table.blocks(); block++) {
      if (!join(block, open) && !start(block, open)) {
        pool.add(block);
      }
    }
    List<Open> stripes = new ArrayList<>();
    for (int rack = 0; rack < open.size(); rack++) {
      for (IncrementalMatching stripe : open.get(rack)) {
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
        : IntStream.of(table.nodes(block)).map(context::rackOf).toArray();
  }

  /** Adds a block to the fullest open stripe of its racks that takes it. */
  private boolean join(int block, List<List<IncrementalMatching>> open) {
    int[] racks = racks(block);
    for (int size = k - 1; size > 0; size--) {
      for (int rack : racks) {
        List<IncrementalMatching> stripes = open.get(rack);
        for (int i = 0; i < stripes.size(); i++) {
          IncrementalMatching stripe = stripes.get(i);
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

  /** Opens a stripe with a block, in the rack of the block with fewest open stripes. */
  private boolean start(int block, List<List<IncrementalMatching>> open) {
    IncrementalMatching stripe = new IncrementalMatching(context, k);
    if (!stripe.addIfKept(block)) {
      return false;
    }
    int[] racks = racks(block);
    List<IncrementalMatching> fewest = open.get(racks[0]);
    for (int rack : racks) {
      List<IncrementalMatching> stripes = open.get(rack);
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

  private Grouping finish(List<Open> open, BlockQueue pool) {
    List<Open> left = new ArrayList<>(open);
    int blocks = pool.size() + left.stream().mapToInt(stripe -> stripe.kept().size()).sum();
    left.sort(Comparator.comparingInt(o -> -o.kept().size()));
    int count = blocks / k;
    List<Open> bases = new ArrayList<>(left.subList(0, Math.min(count, left.size())));
    for (Open dissolved : left.subList(bases.size(), left.size())) {
      IntStream.of(dissolved.kept().blocks()).forEach(pool::add);
    }
    if (bases.size() < count) {
      int rack = context.fullestRack(pool.blocks());
      while (bases.size() < count) {
        bases.add(new Open(rack, new IncrementalMatching(context, k)));
      }
    }
    fill(bases, pool, 0);
    fill(bases, pool, 1);
    fill(bases, pool, 2);
    bases.forEach(base -> close(base.kept()));
    return result(pool.blocks());
  }

  /**
   * Fills stripes from the pool with blocks that are free of downloads and relocations (concession
   * 0), that are downloaded (1), or any (2).
   */
  private void fill(List<Open> bases, BlockQueue pool, int concession) {
    for (Open base : bases) {
      int most = Math.min(pool.size(), MOST_TRIED);
      for (int tried = most; tried > 0 && !base.kept().isFull(); tried--) {
        int block = pool.remove();
        boolean passes = concession > 0 || context.isInRack(block, base.rack());
        if (concession == 2) {
          base.kept().add(block);
        } else if (!passes || !base.kept().addIfKept(block)) {
          pool.add(block);
        }
      }
    }
  }

  /** Moves blocks of larger stripes to a pool that is too small to be worth parity. */
  private static void giveBack(List<Open> stripes, BlockQueue pool, int least) {
    for (int i = stripes.size() - 1; i >= 0; i--) {
      while (pool.size() > 0 && pool.size() < least && stripes.get(i).kept().size() > least) {
        IncrementalMatching stripe = stripes.get(i).kept();
        pool.add(stripe.blocks()[stripe.size() - 1]);
        stripes.set(i, new Open(stripes.get(i).rack(), stripe.withoutLast()));
      }
    }
  }

  private void close(IncrementalMatching stripe) {
    int[] blocks = stripe.blocks();
    int rack = context.fullestRack(blocks);
    downloads += context.downloads(blocks, rack);
    relocations += stripe.relocations();
    stripes.add(blocks);
    coreRacks.add(rack);
  }

  private Grouping result(int[] rest) {
    return new Grouping(
        stripes, coreRacks.stream().mapToInt(rack -> rack).toArray(), rest, downloads, relocations);
  }
}
