package org.braid.hdfs.namenode.stripes;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCode;

/**
 * Counts of stripes by the name of their code, updated when stripes are published and deleted.
 * Thread-safe.
 */
public final class StripeTotals {
  /** Stripes that lost blocks are told apart up to this number. */
  private static final int MOST_SHRUNK = 100_000;

  private final Map<String, Total> totals = new TreeMap<>();

  /** By the id of the stripe. */
  private final Map<String, Shrunk> shrunk = new HashMap<>();

  /** What all of these lost, by the name of their code. */
  private final Map<String, Total> lost = new HashMap<>();

  /** The ids of those of them that have data blocks left that nothing else protects. */
  private final NavigableSet<String> thinned = new TreeSet<>();

  /** The codes of stripes that can be read, by name. They are few, and stay. */
  private final Map<String, StripeCode> codes = new HashMap<>();

  /**
   * The totals of a code's stripes.
   *
   * @param known whether this Braid knows the code; all blocks of an unknown code count as data
   *     blocks
   * @param copied whether each parity is stored several times
   * @param replicatedBytes bytes of the data blocks with their former replication
   */
  public record Total(
      boolean known,
      boolean copied,
      long stripes,
      long dataBlocks,
      long dataBytes,
      long replicatedBytes,
      long parityBlocks,
      long parityBytes) {
    private Total plus(Total other, int sign) {
      return new Total(
          known,
          copied,
          stripes + sign * other.stripes,
          dataBlocks + sign * other.dataBlocks,
          dataBytes + sign * other.dataBytes,
          replicatedBytes + sign * other.replicatedBytes,
          parityBlocks + sign * other.parityBlocks,
          parityBytes + sign * other.parityBytes);
    }
  }

  /**
   * The part of a stripe that was deleted or changed since it was encoded.
   *
   * @param replicatedBytes bytes of this part with its former replication
   * @param needed whether data blocks remain that only this stripe protects
   */
  record Gone(long dataBlocks, long dataBytes, long replicatedBytes, boolean needed) {
    private Total total() {
      return new Total(true, false, 0, dataBlocks, dataBytes, replicatedBytes, 0, 0);
    }
  }

  /**
   * One that lost blocks.
   *
   * @param last its last block, which no other stripe has
   */
  private record Shrunk(String name, long last, Gone gone) {}

  private static Total of(Stripe stripe) {
    int k = stripe.isSupported() ? stripe.code().k() : stripe.size();
    long dataBlocks = 0;
    long dataBytes = 0;
    long replicated = 0;
    long parityBlocks = 0;
    long parityBytes = 0;
    for (int i = 0; i < stripe.size(); i++) {
      Member member = stripe.member(i);
      if (member.isVirtual()) {
        continue;
      }
      long length = member.block().length();
      if (i < k) {
        dataBlocks++;
        dataBytes += length;
        replicated += length * Math.max(1, member.replication());
      } else {
        parityBlocks++;
        parityBytes += length;
      }
    }
    return new Total(
        stripe.isSupported(),
        stripe.recordedCode().copies() > 1,
        1,
        dataBlocks,
        dataBytes,
        replicated,
        parityBlocks,
        parityBytes);
  }

  synchronized void add(Stripe stripe) {
    Total added = of(stripe);
    if (added.known) {
      codes.put(name(stripe), stripe.recordedCode());
    }
    totals.merge(name(stripe), added, (present, one) -> present.plus(one, 1));
  }

  /** Records the part of a stripe that was deleted or changed. */
  synchronized void shrink(Stripe stripe, Gone gone) {
    if (shrunk.size() >= MOST_SHRUNK && !shrunk.containsKey(stripe.id())) {
      return;
    }
    forget(stripe.id());
    shrunk.put(stripe.id(), new Shrunk(name(stripe), last(stripe), gone));
    lost.merge(name(stripe), gone.total(), (sum, one) -> sum.plus(one, 1));
    if (gone.needed()) {
      thinned.add(stripe.id());
    }
  }

  /** Replaces the description of a stripe; what was deleted or changed of it stays so. */
  synchronized void replace(Stripe before, Stripe after) {
    subtract(before);
    add(after);
    if (!before.id().equals(after.id()) || !before.blockIds().equals(after.blockIds())) {
      forget(before);
    }
  }

  /** Removes a stripe; one whose file was renamed has no id. */
  synchronized void remove(Stripe stripe) {
    forget(stripe);
    subtract(stripe);
  }

  private void forget(Stripe stripe) {
    if (stripe.id().isEmpty()) {
      long last = last(stripe);
      List<String> ids =
          shrunk.entrySet().stream()
              .filter(each -> each.getValue().last() == last)
              .map(Map.Entry::getKey)
              .toList();
      ids.forEach(this::forget);
    } else {
      forget(stripe.id());
    }
  }

  private void forget(String id) {
    Shrunk before = shrunk.remove(id);
    if (before != null) {
      lost.computeIfPresent(before.name(), (name, sum) -> sum.plus(before.gone().total(), -1));
      thinned.remove(id);
    }
  }

  private static long last(Stripe stripe) {
    int at = stripe.size() - 1;
    while (stripe.isVirtual(at)) {
      at--;
    }
    return stripe.member(at).block().id();
  }

  private void subtract(Stripe stripe) {
    Total gone = of(stripe);
    totals.computeIfPresent(
        name(stripe),
        (name, present) -> {
          Total left = present.plus(gone, -1);
          return left.stripes == 0 ? null : left;
        });
  }

  private static String name(Stripe stripe) {
    return stripe.recordedCode().name() + (stripe.isSupported() ? "" : " (not usable here)");
  }

  /**
   * The totals now, by the name of the code, without data blocks that are known to be deleted or
   * changed. Parity of stripes without data blocks counts until it is swept.
   */
  public synchronized Map<String, Total> now() {
    Map<String, Total> present = new TreeMap<>(totals);
    lost.forEach((name, sum) -> present.computeIfPresent(name, (n, total) -> total.plus(sum, -1)));
    return present;
  }

  /** The code of stripes that are counted under a name; empty for an unknown code. */
  public synchronized Optional<StripeCode> code(String name) {
    return Optional.ofNullable(codes.get(name));
  }

  /**
   * The ids of the stripes that {@link #thinned()} counts, ascending.
   *
   * @param after only ids behind this one
   * @param most maximum number of ids
   */
  public synchronized List<String> thinnedAfter(String after, int most) {
    return thinned.tailSet(after, false).stream().limit(most).toList();
  }

  /** Number of stripes that lost data blocks while others remain that only the stripe protects. */
  public synchronized long thinned() {
    return thinned.size();
  }

  /** Parity files with an unreadable description; there may be as many as stripes. */
  public static final class Hidden {
    /** Maximum number of names, which fit in an answer. */
    static final int MOST_NAMED = 10_000;

    private final Map<String, String> named = new TreeMap<>();
    private long count;

    /** Counts one. */
    void add(Supplier<String> path, String problem) {
      count++;
      if (named.size() < MOST_NAMED) {
        named.put(path.get(), problem);
      }
    }

    /** Number of files. */
    public long count() {
      return count;
    }

    /** The reasons by path, for all files up to the maximum. */
    public Map<String, String> named() {
      return Collections.unmodifiableMap(named);
    }
  }
}
