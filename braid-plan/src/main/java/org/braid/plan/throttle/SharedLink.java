package org.braid.plan.throttle;

import java.util.Locale;

/**
 * A link or disk that work in the background shares with users, in one direction.
 *
 * @param kind what it is
 * @param name of its node, rack or site; empty for the cluster
 * @param way the direction; {@link Way#BOTH} for disks and the cluster
 */
public record SharedLink(Kind kind, String name, Way way) {
  /** All bytes between nodes. */
  public static final SharedLink CLUSTER = new SharedLink(Kind.CLUSTER, "", Way.BOTH);

  /** What is limited. */
  public enum Kind {
    /** The network link of a node, in each direction. */
    NODE,
    /** The disks of a node: bytes read and written together. */
    DISK,
    /** The uplink of a rack, in each direction. */
    UPLINK,
    /** The link of a site to the other sites, in each direction. */
    SITE,
    /** All bytes that go from one node to another. */
    CLUSTER;

    /** Its name in settings and messages. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A direction of a link. */
  public enum Way {
    /** To the node, rack or site. */
    IN,
    /** From there. */
    OUT,
    /** Not told apart. */
    BOTH
  }

  /** The disks of a node. */
  public static SharedLink disk(String node) {
    return new SharedLink(Kind.DISK, node, Way.BOTH);
  }
}
