package org.braid.hdfs.namenode.stripes;

import java.util.Map;
import java.util.TreeMap;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;

/** Counts of stripes by the name of their code, kept as stripes come and go. Thread-safe. */
public final class StripeTotals {
  private final Map<String, Total> totals = new TreeMap<>();

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
    totals.merge(name(stripe), added, (present, one) -> present.plus(one, 1));
  }

  synchronized void remove(Stripe stripe) {
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

  /** The counts now, by the name of the code. */
  synchronized Map<String, Total> now() {
    return new TreeMap<>(totals);
  }
}
