package org.braid.plan.throttle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.braid.plan.throttle.FairRates.Demand;

/**
 * The plans that run in the background, and the rates that they were granted. A rate is lowered
 * first and, once the plan's nodes have confirmed that, others are raised, so that the rates in use
 * never exceed a link. Not thread-safe; the caller has the clock.
 */
public final class ThrottledRuns {
  /** Part of each limit that is granted: the rest is for slices that come early. */
  public static final double GRANTED = 0.95;

  /** Rates that differ by less are left as they are. */
  private static final double SAME = 0.01;

  private final Map<Long, Run> runs = new LinkedHashMap<>();
  private Throttle throttle = Throttle.NONE;
  private ToDoubleFunction<SharedLink> capacity = link -> Double.POSITIVE_INFINITY;
  private long next = 1;

  /** A rate that a run is to have, in bytes a second of each value; infinite: no limit. */
  public record Change(long run, double rate) {}

  private static final class Run {
    private final Demand demand;
    private final long length;
    private final boolean urgent;
    private double granted;
    private double target;
    private double allowed;
    private long since;
    private long heldMillis;

    Run(Demand demand, long length, boolean urgent, long now) {
      this.demand = demand;
      this.length = length;
      this.urgent = urgent;
      since = now;
    }

    /** Adds what was granted up to now. */
    void advance(long now) {
      if (allowed < length) {
        double millis = Math.max(0, now - since);
        double left = granted == 0 ? Double.POSITIVE_INFINITY : (length - allowed) * 1000 / granted;
        heldMillis += (long) Math.ceil(Math.min(millis, left));
        allowed += granted == 0 ? 0 : Double.isInfinite(granted) ? length : granted * millis / 1000;
      }
      since = now;
    }
  }

  /** Sets the limits; they hold from the next {@link #lower} on. */
  public void limit(Throttle throttle, ToDoubleFunction<SharedLink> capacity) {
    this.throttle = throttle;
    this.capacity = capacity;
  }

  /**
   * Adds a plan, which has no rate yet.
   *
   * @param length bytes of each value
   * @param now in milliseconds
   * @return its number
   */
  public long add(Demand demand, long length, long now) {
    runs.put(next, new Run(demand, length, false, now));
    return next++;
  }

  /** Removes a plan that has ended. */
  public void remove(long run) {
    runs.remove(run);
  }

  /** Stops throttling a plan; it keeps its number. */
  public void hurry(long run, long now) {
    Run known = runs.get(run);
    if (known != null && !known.urgent) {
      known.advance(now);
      Run urgent = new Run(known.demand, known.length, true, now);
      urgent.granted = known.granted;
      urgent.allowed = known.allowed;
      urgent.heldMillis = known.heldMillis;
      runs.put(run, urgent);
    }
  }

  /** The rate of a plan that its nodes may use now. */
  public double granted(long run) {
    Run known = runs.get(run);
    return known == null ? 0 : known.granted;
  }

  /** The rate that a plan is to have. */
  public double target(long run) {
    Run known = runs.get(run);
    return known == null ? 0 : known.target;
  }

  /**
   * How long a plan was held back so far: until its rates would have let all its bytes pass.
   *
   * @return milliseconds
   */
  public long heldMillis(long run, long now) {
    Run known = runs.get(run);
    if (known == null) {
      return 0;
    }
    known.advance(now);
    return known.heldMillis;
  }

  /**
   * How long a plan takes at least from now on, at its rate.
   *
   * @return milliseconds; {@link Long#MAX_VALUE} when it has none
   */
  public long leftMillis(long run, long now) {
    Run known = runs.get(run);
    if (known == null) {
      return 0;
    }
    known.advance(now);
    return known.allowed >= known.length
        ? 0
        : known.granted == 0
            ? Long.MAX_VALUE
            : (long) Math.ceil((known.length - known.allowed) * 1000 / known.granted);
  }

  /** Computes all rates anew, and says which are to be lowered; each is to be confirmed. */
  public List<Change> lower() {
    List<Run> fair = runs.values().stream().filter(run -> !run.urgent).toList();
    double[] rates =
        FairRates.of(
            fair.stream().map(run -> run.demand).toList(),
            throttle,
            link -> GRANTED * capacity.applyAsDouble(link));
    for (int i = 0; i < rates.length; i++) {
      fair.get(i).target = rates[i];
    }
    List<Change> lowered = new ArrayList<>();
    runs.forEach(
        (number, run) -> {
          if (run.urgent) {
            run.target = Double.POSITIVE_INFINITY;
          } else if (isAbove(run)) {
            lowered.add(new Change(number, run.target));
          }
        });
    return lowered;
  }

  /** Whether a plan has yet to be slowed down; hardly counts as not. */
  private static boolean isAbove(Run run) {
    return run.target == 0 ? run.granted > 0 : run.granted > run.target * (1 + SAME);
  }

  /** Confirms that the nodes of a plan keep to a lower rate from now on. */
  public void confirm(Change change, long now) {
    Run run = runs.get(change.run());
    if (run != null && !run.urgent) {
      run.advance(now);
      run.granted = Math.min(run.granted, change.rate());
    }
  }

  /**
   * Grants the rates that may be raised now and returns them. A throttled plan waits while a plan
   * whose rate is yet to be lowered shares a link with it.
   */
  public List<Change> raise(long now) {
    Set<SharedLink> taken = new HashSet<>();
    for (Run run : runs.values()) {
      if (!run.urgent && isAbove(run)) {
        run.demand.loads().keySet().stream()
            .filter(link -> !Double.isInfinite(capacity.applyAsDouble(link)))
            .forEach(taken::add);
      }
    }
    Map<Long, Double> raised = new HashMap<>();
    runs.forEach(
        (number, run) -> {
          boolean more = run.granted == 0 ? run.target > 0 : run.target > run.granted * (1 + SAME);
          if (more
              && (run.urgent || run.demand.loads().keySet().stream().noneMatch(taken::contains))) {
            run.advance(now);
            run.granted = run.target;
            raised.put(number, run.target);
          }
        });
    return raised.entrySet().stream().map(e -> new Change(e.getKey(), e.getValue())).toList();
  }

  /** Bytes a second that all plans together may move over a link. */
  public double granted(SharedLink link) {
    return runs.values().stream()
        .filter(run -> !run.urgent && run.demand.loads().containsKey(link))
        .mapToDouble(run -> run.granted * run.demand.loads().getOrDefault(link, 0))
        .sum();
  }
}
