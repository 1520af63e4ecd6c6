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

/** Counts of stripes by the name of their code, kept as stripes come and go. Thread-safe. */
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
   * The stripes of a code.
   *
   * @param known whether this Braid knows the code; blocks of others all count as data blocks
   * @param copied whether each parity is stored several times
   * @param replicatedBytes bytes that the data blocks took with the replication that they had
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
   * What of a stripe was deleted or changed since it was encoded.
   *
   * @param replicatedBytes bytes that it took with the replication that it had
   * @param needed whether data blocks are left that nothing else protects
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

  /** Notes what of a stripe is gone. */
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

  /** A stripe is described anew; the blocks that it lost are gone all the same. */
  synchronized void replace(Stripe before, Stripe after) {
    subtract(before);
    add(after);
    if (!before.id().equals(after.id()) || !before.blockIds().equals(after.blockIds())) {
      forget(before);
    }
  }

  /** A stripe is gone; where its file was renamed it has no id. */
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
   * The counts now, by the name of the code, without the data blocks that are known to be gone. The
   * parity of stripes without any is there until it is swept.
   */
  public synchronized Map<String, Total> now() {
    Map<String, Total> present = new TreeMap<>(totals);
    lost.forEach((name, sum) -> present.computeIfPresent(name, (n, total) -> total.plus(sum, -1)));
    return present;
  }

  /** The code of stripes that were counted by a name; empty for one that is not known here. */
  public synchronized Optional<StripeCode> code(String name) {
    return Optional.ofNullable(codes.get(name));
  }

  /**
   * The ids of some of these stripes, ascending.
   *
   * @param after behind which they are
   * @param most at most so many
   */
  public synchronized List<String> thinnedAfter(String after, int most) {
    return thinned.tailSet(after, false).stream().limit(most).toList();
  }

  /** Stripes that lost data blocks while others are left that nothing else protects. */
  public synchronized long thinned() {
    return thinned.size();
  }

  /** Parity files whose description cannot be read; there may be as many as stripes. */
  public static final class Hidden {
    /** So many are named: that fits in an answer. */
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

    /** How many there are. */
    public long count() {
      return count;
    }

    /** Why they cannot be read, by path: of all unless they are very many. */
    public Map<String, String> named() {
      return Collections.unmodifiableMap(named);
    }
  }
}
