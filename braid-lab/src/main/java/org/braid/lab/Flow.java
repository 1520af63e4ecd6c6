package org.braid.lab;

/**
 * Bytes that go from one host to another without end.
 *
 * @param from name of the host that sends
 * @param to name of the host that receives
 * @param protocol how
 * @param rate bytes of payload a second that are sent; infinite: as many as TCP gets through
 */
public record Flow(String from, String to, Protocol protocol, double rate) {
  /** How bytes are sent. */
  public enum Protocol {
    /** At most as fast as the network takes them. */
    TCP,
    /** At the rate, whatever becomes of them. */
    UDP
  }

  public Flow {
    if (!(rate > 0) || (protocol == Protocol.UDP && Double.isInfinite(rate))) {
      throw new IllegalArgumentException(
          "a flow of %s bytes a second by %s from %s to %s: needs a number above 0"
              .formatted(rate, protocol, from, to));
    }
  }

  /** As much as TCP gets through. */
  public static Flow tcp(String from, String to) {
    return new Flow(from, to, Protocol.TCP, Double.POSITIVE_INFINITY);
  }

  /** Datagrams at a rate. */
  public static Flow udp(String from, String to, double rate) {
    return new Flow(from, to, Protocol.UDP, rate);
  }
}
