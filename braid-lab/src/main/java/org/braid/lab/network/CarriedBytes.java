package org.braid.lab.network;

/**
 * The bytes that a link carried.
 *
 * @param out bytes sent by the host, rack or site
 * @param in bytes received by it
 */
public record CarriedBytes(long out, long in) {
  /** The difference to an earlier count. */
  public CarriedBytes since(CarriedBytes before) {
    return new CarriedBytes(out - before.out, in - before.in);
  }
}
