package org.braid.hdfs.rpc;

import org.braid.placement.Topology;

/**
 * HDFS's network locations as racks and sites: the location is the rack, all but its last part is
 * the site, so that {@code /paris/r7} is a rack of site {@code /paris} and {@code /r7} one of the
 * only site.
 */
public final class NetworkLocations {
  private NetworkLocations() {}

  /** Adds a node that is at a location. */
  public static void add(Topology.Builder topology, String node, String location) {
    topology.add(node, location, site(location));
  }

  /** The site of a location. */
  public static String site(String location) {
    int end = location.lastIndexOf('/');
    return end <= 0 ? "/" : location.substring(0, end);
  }
}
