package org.braid.hdfs.coordinator.check;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.braid.code.ErasureCode;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.PolicySet;
import org.braid.placement.EligibleNodes;

/**
 * What is known of a cluster.
 *
 * @param conf the configuration of this host, as commands, a daemon and clients here have it
 * @param daemons NameNodes, then live DataNodes
 * @param dead DataNodes in service that the NameNode takes for dead, by name
 * @param active whether a NameNode is active; without one nothing but daemons is known
 * @param safeMode whether the NameNode is in safe mode
 * @param coordinated whether a coordinator runs
 * @param nodes nodes that may get blocks
 * @param codes codes that are to be used
 * @param work what is asked of the cluster and what is there
 */
record ClusterFacts(
    Configuration conf,
    List<DaemonFacts> daemons,
    List<String> dead,
    boolean active,
    boolean safeMode,
    boolean coordinated,
    EligibleNodes nodes,
    List<ErasureCode> codes,
    Work work) {
  /** Whether any NameNode among daemons answers. */
  static boolean reached(List<DaemonFacts> daemons) {
    return daemons.stream()
        .anyMatch(
            daemon -> daemon.role() == DaemonFacts.Role.NAME_NODE && daemon.unreached().isEmpty());
  }

  /**
   * Policies and stripes.
   *
   * @param policies policies in force
   * @param reads from where reads are known
   * @param stripes numbers of stripes by the names of their codes
   * @param problems why some of this is not known
   */
  record Work(
      PolicySet policies, KnownReads reads, Map<String, Long> stripes, List<String> problems) {
    /** Of a cluster that was not asked. */
    static final Work NONE = new Work(PolicySet.NONE, KnownReads.NONE, Map.of(), List.of());
  }
}
