package org.braid.hdfs.metrics;

import java.util.Arrays;
import java.util.Optional;

/** Over which links bytes go from one node to another; each byte is of one class. */
public enum LinkClass {
  /** Between nodes of a rack. */
  IN_RACK,
  /** Between racks of a site. */
  CROSS_RACK,
  /** Between sites. */
  CROSS_SITE,
  /** It is not known where one of the nodes is, as for readers outside the cluster. */
  UNKNOWN;

  /** Its name in labels and on the wire. */
  public String word() {
    return LabelNames.of(this);
  }

  /** The class of a name; empty for one that this release does not know. */
  public static Optional<LinkClass> named(String word) {
    return Arrays.stream(values()).filter(link -> link.word().equals(word)).findFirst();
  }

  /**
   * The class of the way between two network locations of HDFS, as {@code /site/rack}.
   *
   * @param from empty when it is not known
   * @param to the same
   */
  public static LinkClass between(String from, String to) {
    if (from.isEmpty() || to.isEmpty()) {
      return UNKNOWN;
    }
    if (from.equals(to)) {
      return IN_RACK;
    }
    return site(from).equals(site(to)) ? CROSS_RACK : CROSS_SITE;
  }

  private static String site(String location) {
    return location.substring(0, Math.max(0, location.lastIndexOf('/')));
  }
}
