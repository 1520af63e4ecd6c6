package org.braid.hdfs.rpc;

import org.braid.placement.Topology;

/**
 * Maps HDFS's network locations to racks and sites. The location is the rack, and all but its last
 * part is the site: {@code /paris/r7} is a rack of site {@code /paris}, and {@code /r7} is a rack
 * of the only site.
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
