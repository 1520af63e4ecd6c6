package org.braid.hdfs.namenode.lease;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Records which lease changes which stripe: at most one lease claims a stripe. Not thread-safe:
 * {@link Leases} holds its monitor.
 */
final class LeaseClaims {
  /** Milliseconds after a refused claim for which the stripe counts as awaited. */
  static final long AWAITED_MILLIS = 2000;

  /** Maximum number of stripes that one lease claims at the same time. */
  private static final int MOST = 10_000;

  private record Claim(String lease, long number, long awaitedUntil) {
    Claim awaited(long until) {
      return new Claim(lease, number, until);
    }
  }

  private record Released(String lease, String stripe) {}

  private final LongSupplier clock;

  /** Who changes which stripe. */
  private final Map<String, Claim> claims = new HashMap<>();

  /** Claims that were released, the first first: one that is repeated may be heard after that. */
  private final Map<Released, Long> released = new LinkedHashMap<>();

  /** How many claims each lease has. */
  private final Map<String, Integer> claimed = new HashMap<>();

  /**
   * Starts without claims.
   *
   * @param clock milliseconds that never run backwards
   */
  LeaseClaims(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Claims a stripe for a valid lease.
   *
   * @param holder holder of the lease
   * @param number number of the claim, which increases; 0 for holders that do not number claims
   * @return empty when the claim is granted, or was before, even if it was released since; else the
   *     lease that has claimed the stripe, for which the stripe then counts as awaited
   * @throws IOException when the lease has too many claims
   */
  Optional<String> claim(String lease, String holder, String stripe, long number)
      throws IOException {
    Claim present = claims.get(stripe);
    if (present != null && !present.lease.equals(lease)) {
      claims.put(stripe, present.awaited(clock.getAsLong() + AWAITED_MILLIS));
      return Optional.of(present.lease);
    }
    if (number <= released.getOrDefault(new Released(lease, stripe), -1L)) {
      return Optional.empty();
    }
    if (present == null) {
      if (claimed.getOrDefault(lease, 0) >= MOST) {
        throw new IOException(
            "%s has claimed %d stripes, no more are claimed at once".formatted(holder, MOST));
      }
      claimed.merge(lease, 1, Integer::sum);
    }
    // One that is repeated may be heard after a later one.
    long last = present == null ? number : Math.max(present.number, number);
    claims.put(stripe, new Claim(lease, last, clock.getAsLong()));
    return Optional.empty();
  }

  /** The stripes claimed by a lease that other leases wait for. */
  Set<String> awaited(String lease) {
    long now = clock.getAsLong();
    Set<String> awaited = new TreeSet<>();
    claims.forEach(
        (stripe, claim) -> {
          if (claim.lease.equals(lease) && now < claim.awaitedUntil) {
            awaited.add(stripe);
          }
        });
    return awaited;
  }

  /** Releases a claim of a valid lease, and earlier claims of it on the same stripe. */
  void release(String lease, String stripe, long number) {
    if (number > 0) {
      released.merge(new Released(lease, stripe), number, Math::max);
      if (released.size() > MOST) {
        released.remove(released.keySet().iterator().next());
      }
    }
    Claim present = claims.get(stripe);
    if (present != null && present.lease.equals(lease) && present.number <= number) {
      claims.remove(stripe);
      claimed.computeIfPresent(lease, (unused, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Whether another lease has claimed a stripe. */
  boolean isClaimedByOthers(String lease, String stripe) {
    Claim present = claims.get(stripe);
    return present != null && !present.lease.equals(lease);
  }

  /** Drops all claims of a lease that has ended. */
  void end(String lease) {
    claims.values().removeIf(claim -> claim.lease.equals(lease));
    released.keySet().removeIf(claim -> claim.lease.equals(lease));
    claimed.remove(lease);
  }

  /** Drops all claims of all leases. */
  void clear() {
    claims.clear();
    released.clear();
    claimed.clear();
  }
}
