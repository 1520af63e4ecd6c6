package org.braid.hdfs.coordinator.check;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;

/**
 * What is known of a cluster.
 *
 * @param conf the configuration of this host, as commands, a daemon and clients here have it
 * @param daemons NameNodes, then live DataNodes
 * @param dead DataNodes that the NameNode takes for dead, by name
 * @param safeMode whether the NameNode is in safe mode
 * @param coordinated whether a coordinator runs
 * @param nodes nodes that may get blocks
 * @param codes codes that are to be used
 */
record ClusterFacts(
    Configuration conf,
    List<DaemonFacts> daemons,
    List<String> dead,
    boolean safeMode,
    boolean coordinated,
    EligibleNodes nodes,
    List<ErasureCode> codes) {}
