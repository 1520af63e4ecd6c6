package org.braid.sim.net;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.sim.time.Simulation;

/**
 * Checks a network model from outside: every byte that is sent arrives once, and no link carries
 * more than its rate. The checker sees only the rates that a model reports, not how it shares
 * links.
 */
public final class ConservationChecker implements NetworkModel.Observer {
  /** Relative error of sums of rates. */
  private static final double EPSILON = 1e-6;

  private static final int MAX_REPORTED = 5;

  private final Simulation simulation;
  private final Fabric fabric;
  private final Map<Long, Moving> moving = new HashMap<>();
  private final double[] load;
  private final double[] carried;
  private final boolean[] isChanged;
  private final int[] changed;
  private int changedCount;
  private final List<String> violations = new ArrayList<>();
  private long violated;
  private long checkedAt;
  private long transfers;

  private static final class Moving {
    final int[] links;
    final long bytes;
    double moved;
    double rate;
    double fastest;
    long since;

    Moving(int[] links, long bytes, long now) {
      this.links = links;
      this.bytes = bytes;
      since = now;
    }
  }

  /** A checker before the first transfer. */
  public ConservationChecker(Simulation simulation, Fabric fabric) {
    this.simulation = simulation;
    this.fabric = fabric;
    load = new double[fabric.links()];
    carried = new double[fabric.links()];
    isChanged = new boolean[fabric.links()];
    changed = new int[fabric.links()];
  }

  @Override
  public void began(long transfer, int[] links, long bytes) {
    if (moving.put(transfer, new Moving(links, bytes, simulation.now())) != null) {
      violation("transfer " + transfer + " began twice");
    }
  }

  @Override
  public void rate(long transfer, double bytesPerSecond) {
    checkLinks();
    Moving one = moving.get(transfer);
    if (one == null) {
      violation("transfer " + transfer + " has a rate without being there");
    } else if (one.links.length > 0) {
      set(one, bytesPerSecond);
    }
  }

  private void set(Moving one, double rate) {
    double passed = Simulation.seconds(simulation.now() - one.since);
    double moved = one.rate * passed;
    one.moved += moved;
    one.since = simulation.now();
    for (int link : one.links) {
      load[link] += rate - one.rate;
      carried[link] += moved;
      if (!isChanged[link]) {
        isChanged[link] = true;
        changed[changedCount++] = link;
      }
    }
    one.rate = rate;
    one.fastest = Math.max(one.fastest, rate);
  }

  @Override
  public void ended(long transfer) {
    checkLinks();
    Moving one = moving.remove(transfer);
    if (one == null) {
      violation("transfer " + transfer + " ended without having begun, or twice");
      return;
    }
    set(one, 0);
    transfers++;
    // Times are whole nanoseconds: each change of the rate may round one up.
    double allowed = EPSILON * one.bytes + 2 + 1e-8 * one.fastest;
    if (one.links.length > 0 && Math.abs(one.moved - one.bytes) > allowed) {
      violation(
          "transfer %d was asked for %d bytes and moved %.1f"
              .formatted(transfer, one.bytes, one.moved));
    }
  }

  /** Checks loads once a moment is over, as rates change one after the other within it. */
  private void checkLinks() {
    if (simulation.now() == checkedAt) {
      return;
    }
    for (int i = 0; i < changedCount; i++) {
      int link = changed[i];
      isChanged[link] = false;
      if (load[link] > fabric.rate(link) * (1 + EPSILON)) {
        violation(
            "%s carried %.0f bytes a second from %.9f s on, its rate is %.0f"
                .formatted(
                    fabric.name(link),
                    load[link],
                    Simulation.seconds(checkedAt),
                    fabric.rate(link)));
      }
    }
    changedCount = 0;
    checkedAt = simulation.now();
  }

  private void violation(String text) {
    violated++;
    if (violations.size() < MAX_REPORTED) {
      violations.add(text);
    }
  }

  /** Bytes that a link has carried. */
  public double carried(int link) {
    return carried[link];
  }

  /** Number of transfers that have ended. */
  public long transfers() {
    return transfers;
  }

  /**
   * Checks all transfers so far.
   *
   * @throws IllegalStateException with the first violations if there are any
   */
  public void verify() {
    checkLinks();
    if (violated > 0) {
      throw new IllegalStateException(
          "the network model broke its own rules %d times: %s"
              .formatted(violated, String.join("; ", violations)));
    }
  }

  /**
   * Checks all transfers, and that all have ended.
   *
   * @throws IllegalStateException when there are violations or transfers that never ended
   */
  public void verifyEnded() {
    if (!moving.isEmpty()) {
      violation(moving.size() + " transfers never ended");
    }
    verify();
  }
}
