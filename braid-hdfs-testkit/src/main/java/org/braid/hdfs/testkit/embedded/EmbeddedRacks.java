package org.braid.hdfs.testkit.embedded;

import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Resolves a DataNode's rack from its host name, {@code RACK-NODE} or {@code SITE.RACK-NODE},
 * because all DataNodes share one address.
 */
public final class EmbeddedRacks implements DNSToSwitchMapping {
  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(EmbeddedRacks::rackOf).toList();
  }

  private static String rackOf(String host) {
    int dash = host.indexOf('-');
    return dash < 0
        ? NetworkTopology.DEFAULT_RACK
        : "/" + host.substring(0, dash).replace('.', '/');
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
