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
 * Which stripe is changed under which lease: no stripe under two. Not thread-safe: {@link Leases}
 * holds its monitor.
 */
final class LeaseClaims {
  /** A claim is awaited by whoever has asked for it in the last so many milliseconds. */
  static final long AWAITED_MILLIS = 2000;

  /** Stripes that are claimed under a lease at once. */
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
   * No stripe is claimed yet.
   *
   * @param clock milliseconds that never run backwards
   */
  LeaseClaims(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Claims a stripe for a lease that is held.
   *
   * @param holder of the lease
   * @param number of the claim, the later the higher; 0 for holders that do not number theirs
   * @return empty when the claim is granted, or was before; else the lease that has it, whose
   *     holder is told that it is awaited
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

  /** The stripes that a lease has claimed and for which others wait. */
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

  /** Releases a claim of a lease that is held, and those before it. */
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

  /** Whether a stripe is claimed for another lease. */
  boolean isClaimedByOthers(String lease, String stripe) {
    Claim present = claims.get(stripe);
    return present != null && !present.lease.equals(lease);
  }

  /** A lease has ended. */
  void end(String lease) {
    claims.values().removeIf(claim -> claim.lease.equals(lease));
    released.keySet().removeIf(claim -> claim.lease.equals(lease));
    claimed.remove(lease);
  }

  /** All leases have ended. */
  void clear() {
    claims.clear();
    released.clear();
    claimed.clear();
  }
}
