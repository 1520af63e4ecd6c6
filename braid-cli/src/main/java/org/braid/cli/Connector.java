package org.braid.cli;

import java.io.IOException;
import org.braid.hdfs.Cluster;
import org.braid.hdfs.Connection;

/** How commands reach a cluster. */
interface Connector {
  Cluster connect(Connection connection) throws IOException;
}
