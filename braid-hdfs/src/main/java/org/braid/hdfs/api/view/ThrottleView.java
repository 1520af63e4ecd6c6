package org.braid.hdfs.api.view;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What work in the background may use.
 *
 * @param inForce whether anything is limited
 * @param node bytes a second of each node's network, in each direction; null: no limit
 * @param disk bytes a second of each node's disks, read and written together
 * @param uplink bytes a second of each rack's uplink, in each direction
 * @param site bytes a second of each site's link, in each direction
 * @param cluster bytes a second between all nodes
 * @param repairShare part of each limit that repair has when conversion wants more
 * @param conversionShare the same for conversion
 * @param latencyTargetMillis mean time of a packet to a reader above which a node gives way; 0: any
 * @param stopped kinds of links whose limit is 0, so that work that needs them stops; empty: none
 * @param sources where each value is from, by key of {@code throttle set}, as {@code repair_share}
 */
public record ThrottleView(
    boolean inForce,
    @Nullable Long node,
    @Nullable Long disk,
    @Nullable Long uplink,
    @Nullable Long site,
    @Nullable Long cluster,
    double repairShare,
    double conversionShare,
    double latencyTargetMillis,
    String stopped,
    Map<String, Source> sources) {
  /** Where a value is from. */
  public enum Source {
    /** Nobody has said anything. */
    DEFAULT,
    /** A property of the configuration. */
    SETTING,
    /** {@code braid throttle set}. */
    SET,
    /** The configured or default share is more than the share that is set beside it leaves. */
    LIMITED
  }

  public ThrottleView {
    sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
  }
}
