package org.braid.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.network.HostPair;
import org.braid.lab.network.NetworkScript;
import org.braid.lab.network.RingFlows;

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
  private static final long SLOW_START_MILLIS = 700;
  private static final double NANOS = 1e-9;

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

  /** Tests that links of a lab carry what their present limits allow; takes some seconds. */
  static LinkTest of(Lab lab, RunProgress progress)
      throws ExperimentException, InterruptedException {
    List<Ring> rings = new ArrayList<>();
    Map<String, List<HostPair>> all = RingFlows.of(lab.topology());
    for (Map.Entry<String, List<HostPair>> ring : all.entrySet()) {
      progress.at("testing links", rings.size(), all.size());
      double possible = RingFlows.capacity(lab.topology(), lab.limits(), ring.getValue());
      if (!Double.isInfinite(possible)) {
        List<Flow> flows =
            ring.getValue().stream().map(hop -> Flow.tcp(hop.from(), hop.to())).toList();
        double measured = measure(lab, flows);
        rings.add(new Ring(ring.getKey(), flows.size(), possible * PAYLOAD, measured));
      }
    }
    progress.at("testing links", all.size(), all.size());
    return new LinkTest(rings);
  }

  /** The total rate of flows in bytes of payload a second, after slow start. */
  private static double measure(Lab lab, List<Flow> flows)
      throws ExperimentException, InterruptedException {
    try (FlowGroup traffic = lab.traffic(flows)) {
      Thread.sleep(SLOW_START_MILLIS);
      double start = System.nanoTime() * NANOS;
      long before = traffic.received();
      Thread.sleep(Math.round(1000 * SECONDS));
      long after = traffic.received();
      return (after - before) / (System.nanoTime() * NANOS - start);
    }
  }
}
