package org.braid.hdfs.api.view;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of background work.
 *
 * @param inForce whether there is any limit
 * @param node bytes a second of each node's network, in each direction; null: no limit
 * @param disk bytes a second of each node's disks, read and written together
 * @param uplink bytes a second of each rack's uplink, in each direction
 * @param site bytes a second of each site's link, in each direction
 * @param cluster bytes a second between all nodes
 * @param repairShare part of each limit that repair gets when conversion wants more
 * @param conversionShare the same for conversion
 * @param latencyTargetMillis mean time of a packet to a reader above which a node gives way; 0 for
 *     never
 * @param stopped kinds of links with a limit of 0, which stops work that needs them; empty for none
 * @param sources the origin of each value, by key in JSON, for example {@code repair_share}
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
  /** The origin of a value. */
  public enum Source {
    /** The default. */
    DEFAULT,
    /** A property of the configuration. */
    SETTING,
    /** {@code braid throttle set}. */
    SET,
    /**
     * The configured or default share, reduced to the rest that the other share, which was set,
     * leaves.
     */
    LIMITED
  }

  public ThrottleView {
    sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
  }
}
