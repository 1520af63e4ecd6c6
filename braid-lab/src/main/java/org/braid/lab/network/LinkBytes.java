package org.braid.lab.network;

/**
 * The bytes that a link carried.
 *
 * @param out bytes sent by the host, rack or site
 * @param in bytes received by it
 */
public record LinkBytes(long out, long in) {
  /** The difference to an earlier count. */
  public LinkBytes since(LinkBytes before) {
    return new LinkBytes(out - before.out, in - before.in);
  }

  /** Bytes of both directions. */
  public long both() {
    return out + in;
  }
}
