package org.braid.lab;

/**
 * An endless flow of bytes from one host to another.
 *
 * @param from name of the sending host
 * @param to name of the receiving host
 * @param protocol how bytes are sent
 * @param rate bytes of payload a second; infinite: as fast as TCP permits
 */
public record Flow(String from, String to, Protocol protocol, double rate) {
  /** How bytes are sent. */
  public enum Protocol {
    /** With congestion control, at most at the rate. */
    TCP,
    /** At the rate, without regard to losses. */
    UDP
  }

  public Flow {
    if (!(rate > 0) || (protocol == Protocol.UDP && Double.isInfinite(rate))) {
      throw new IllegalArgumentException(
          "a flow of %s bytes a second by %s from %s to %s: needs a number above 0"
              .formatted(rate, protocol, from, to));
    }
  }

  /** A TCP flow without a rate limit. */
  public static Flow tcp(String from, String to) {
    return new Flow(from, to, Protocol.TCP, Double.POSITIVE_INFINITY);
  }

  /** A UDP flow at a rate. */
  public static Flow udp(String from, String to, double rate) {
    return new Flow(from, to, Protocol.UDP, rate);
  }
}
