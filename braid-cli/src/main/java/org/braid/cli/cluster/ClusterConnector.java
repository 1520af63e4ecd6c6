package org.braid.cli.cluster;

import java.io.IOException;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;

/** Connects commands to a cluster. */
public interface ClusterConnector {
  Cluster connect(Connection connection) throws IOException;
}
