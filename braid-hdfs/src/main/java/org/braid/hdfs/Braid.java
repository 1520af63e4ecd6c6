package org.braid.hdfs;

import java.io.IOException;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.coordinator.Coordinator;

/** Where programs begin. */
public final class Braid {
  private Braid() {}

  /**
   * Connects to a cluster.
   *
   * @throws IOException when the NameNode cannot be reached or has no Braid plugin
   */
  public static Cluster connect(Connection connection) throws IOException {
    return Coordinator.connect(connection);
  }
}
