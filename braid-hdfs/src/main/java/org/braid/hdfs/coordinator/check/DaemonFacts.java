package org.braid.hdfs.coordinator.check;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;

/**
 * What is known of a NameNode or DataNode.
 *
 * @param role what it is
 * @param name how it is called, as {@code namenode a:8020}
 * @param conf its configuration, as its web server tells it
 * @param confFailure why that is not known; empty when it is
 * @param unreached why a NameNode cannot be called; empty when it can
 * @param pluginFailure why Braid's plugin does not answer; empty when it does, or was not asked
 * @param version the version of Braid's plugin, empty when the plugin does not tell it; absent when
 *     the plugin does not answer, or not in full
 * @param java the version of its Java, as {@code 17} or {@code 1.8}
 * @param kernel the kernel of a DataNode's worker
 * @param skewMillis how far its clock is ahead of this host's
 */
record DaemonFacts(
    Role role,
    String name,
    Optional<Configuration> conf,
    String confFailure,
    String unreached,
    String pluginFailure,
    Optional<String> version,
    Optional<String> java,
    Optional<String> kernel,
    OptionalLong skewMillis) {
  /** What a daemon is. */
  enum Role {
    NAME_NODE,
    DATA_NODE
  }

  /** What it is named by, as {@code a:8020}. */
  String address() {
    return name.substring(name.indexOf(' ') + 1);
  }
}
