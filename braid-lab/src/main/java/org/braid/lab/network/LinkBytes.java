package org.braid.lab.network;

/**
 * What a link carried.
 *
 * @param out bytes away from the host, the rack or the site
 * @param in bytes to it
 */
public record LinkBytes(long out, long in) {
  /** What it carried since an earlier count. */
  public LinkBytes since(LinkBytes before) {
    return new LinkBytes(out - before.out, in - before.in);
  }

  /** Both directions. */
  public long both() {
    return out + in;
  }
}
