package org.braid.plan.throttle;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.braid.plan.throttle.SharedLink.Kind;

/**
 * What work in the background may use.
 *
 * @param limits bytes a second of each link of a kind; a kind without an entry has no limit; a
 *     limit of 0 stops all work that uses such a link
 * @param shares by class of work, the part of each limit that it gets when others want more; the
 *     others use what it leaves
 * @param latencyTargetMicros target of the mean time of a packet from a DataNode to a reader; work
 *     in the background backs off at nodes above it; 0 for no target
 */
public record Throttle(
    Map<Kind, Long> limits, Map<WorkClass, Double> shares, long latencyTargetMicros) {
  /** The least limit other than 0: below it, a slice takes longer than the time-out of streams. */
  public static final long LEAST = 64 << 10;

  /** The least target of a packet's time other than 0: no DataNode sends one in less. */
  public static final long LEAST_LATENCY_MICROS = 100;

  /** The largest target of a packet's time: above it nothing would ever give way. */
  public static final long MOST_LATENCY_MICROS = 10_000_000;

  /** Default share of repair. */
  public static final double REPAIR_SHARE = 0.7;

  /** Default share of conversion. */
  public static final double CONVERSION_SHARE = 0.3;

  /** No limit at all. */
  public static final Throttle NONE =
      new Throttle(
          Map.of(),
          Map.of(WorkClass.REPAIR, REPAIR_SHARE, WorkClass.CONVERSION, CONVERSION_SHARE),
          0);

  public Throttle {
    limits = copy(limits);
    shares = Map.copyOf(shares);
    limits.forEach(
        (kind, limit) -> {
          if (limit < 0 || (limit > 0 && limit < LEAST)) {
            throw new IllegalArgumentException(
                "a throttle of %d bytes a second for %s: needed are %d (64k) or more, or 0 to stop"
                    .formatted(limit, kind.word(), LEAST));
          }
        });
    double sum = 0;
    for (WorkClass work : WorkClass.values()) {
      double share = shares.getOrDefault(work, 0.0);
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "a share of %s for %s: needed is a number from 0 to 1".formatted(share, work.word()));
      }
      sum += share;
    }
    if (sum > 1 + 1e-9) {
      throw new IllegalArgumentException(
          "the shares of repair and conversion are %s together, at most 1 can be shared"
              .formatted(sum));
    }
    if (latencyTargetMicros < 0) {
      throw new IllegalArgumentException(
          "a latency target of " + latencyTargetMicros + " microseconds: needed is 0 or more");
    }
  }

  private static Map<Kind, Long> copy(Map<Kind, Long> limits) {
    EnumMap<Kind, Long> copy = new EnumMap<>(Kind.class);
    copy.putAll(limits);
    return Collections.unmodifiableMap(copy);
  }

  /** The limit of each link of a kind; empty: none. */
  public OptionalLong limit(Kind kind) {
    Long limit = limits.get(kind);
    return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** The share of a class of work. */
  public double share(WorkClass work) {
    return shares.getOrDefault(work, 0.0);
  }

  /** Whether anything is limited. */
  public boolean inForce() {
    return !limits.isEmpty() || latencyTargetMicros > 0;
  }

  /** What is stopped, in words; empty when nothing is. */
  public String stopped() {
    return limits.entrySet().stream()
        .filter(entry -> entry.getValue() == 0)
        .map(entry -> entry.getKey().word())
        .collect(Collectors.joining(", "));
  }
}
