package org.braid.cli.cluster.base;

import java.io.IOException;
import java.util.List;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.CheckReport;

/** Connects commands to a cluster. */
public interface ClusterConnector {
  Cluster connect(Connection connection) throws IOException;

  /** Finds the NameNode that has paths which are given as clients of a router see them. */
  default Connection.Behind behind(Connection connection, List<String> paths) throws IOException {
    return Braid.behind(connection, paths);
  }

  /** Checks a cluster to which no connection may be possible yet. */
  default CheckReport check(Connection connection, List<String> codes) throws IOException {
    return Braid.check(connection, codes);
  }
}
