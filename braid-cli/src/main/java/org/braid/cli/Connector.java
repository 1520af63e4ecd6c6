package org.braid.cli;

import java.io.IOException;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;

/** How commands reach a cluster. */
interface Connector {
  Cluster connect(Connection connection) throws IOException;
}
