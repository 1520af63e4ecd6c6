package org.braid.lab;

import java.util.List;
import java.util.Locale;
import org.braid.lab.network.NetworkScript;

/**
 * The result of a test of the links by concurrent flows from all DataNodes.
 *
 * @param rings one set of flows each
 */
public record LinkTest(List<Ring> rings) {
  /** Share of TCP payload in its Ethernet frames: 1448 of 1514 bytes. */
  public static final double PAYLOAD = 1448.0 / 1514;

  /** Smallest share of the possible rate that passes. */
  public static final double LEAST = 0.9;

  /** Seconds of counting. */
  static final double SECONDS = 2;

  private static final double MOST = 1.05;

  /**
   * A set of flows.
   *
   * @param crosses the links that they cross
   * @param flows number of flows
   * @param possible largest total rate in bytes of payload a second
   * @param measured measured total rate
   */
  public record Ring(String crosses, int flows, double possible, double measured) {
    /** Measured rate over possible rate; above 1 when limits are not kept. */
    public double share() {
      return measured / possible;
    }

    /** Whether the rate is high enough and within the limits, including the allowed burst. */
    public boolean ok() {
      double credit = flows * (double) NetworkScript.BURST / (possible * SECONDS);
      return share() >= LEAST && share() <= MOST + credit;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d flows %s: %.1f of %.1f Mbit/s, %.1f%%",
          flows,
          crosses,
          measured * 8e-6,
          possible * 8e-6,
          100 * share());
    }
  }

  public LinkTest {
    rings = List.copyOf(rings);
  }

  /** Whether all rings pass; true when no link has a limit. */
  public boolean ok() {
    return rings.stream().allMatch(Ring::ok);
  }
}
