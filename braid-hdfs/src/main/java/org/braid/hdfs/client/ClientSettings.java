package org.braid.hdfs.client;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.hdfs.client.readahead.ReadAheadSettings;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;

/**
 * The read settings of a client.
 *
 * @param degraded settings of degraded reads
 * @param ahead settings of read-ahead, for healthy and lost blocks
 * @param socketMillis silence of a DataNode after which its block counts as lost
 */
record ClientSettings(DegradedSettings degraded, ReadAheadSettings ahead, int socketMillis) {
  static final String SOCKET_TIMEOUT = "braid.client.socket-timeout";

  /**
   * The settings of a client.
   *
   * @throws IllegalArgumentException when a property is malformed, naming it
   */
  static ClientSettings of(Configuration conf) {
    Settings.check(conf, Setting.Reader.CLIENT);
    return new ClientSettings(
        DegradedSettings.of(conf),
        ReadAheadSettings.of(conf),
        Math.toIntExact(conf.getTimeDuration(SOCKET_TIMEOUT, 10_000, TimeUnit.MILLISECONDS)));
  }

  /**
   * The configuration for reads of blocks that can be rebuilt: reads from silent DataNodes fail
   * early.
   */
  Configuration forReads(Configuration conf) {
    Configuration copy = new Configuration(conf);
    int stock =
        conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, HdfsConstants.READ_TIMEOUT);
    int shorter = stock == 0 ? socketMillis : Math.min(stock, socketMillis);
    copy.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, shorter);
    return copy;
  }
}
