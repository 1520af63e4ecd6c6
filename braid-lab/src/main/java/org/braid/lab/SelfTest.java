package org.braid.lab;

import java.util.List;
import java.util.Locale;
import org.braid.lab.network.NetworkScript;

/**
 * Whether the links carry what they should: flows from every DataNode at the same time.
 *
 * @param rings one set of flows each
 */
public record SelfTest(List<Ring> rings) {
  /** What TCP's payload is of the frames that carry it: 1448 of 1514 bytes. */
  public static final double PAYLOAD = 1448.0 / 1514;

  /** The least share of what is possible that passes. */
  public static final double LEAST = 0.9;

  /** How long bytes are counted. */
  static final double SECONDS = 2;

  private static final double MOST = 1.05;

  /**
   * A set of flows.
   *
   * @param crosses what they cross
   * @param flows how many
   * @param possible bytes of payload a second that all together can have
   * @param measured what they had
   */
  public record Ring(String crosses, int flows, double possible, double measured) {
    /** What was measured of what is possible; above 1 when the limits are not kept. */
    public double share() {
      return measured / possible;
    }

    /** Whether it is enough, and not more than the limits allow, which let some go at once. */
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

  public SelfTest {
    rings = List.copyOf(rings);
  }

  /** Whether all links carry what they should; also when none has a limit. */
  public boolean ok() {
    return rings.stream().allMatch(Ring::ok);
  }
}
