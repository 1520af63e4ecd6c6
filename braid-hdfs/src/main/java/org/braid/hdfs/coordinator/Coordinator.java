package org.braid.hdfs.coordinator;

import java.io.IOException;
import org.braid.hdfs.Cluster;
import org.braid.hdfs.Connection;

/** The coordinator. */
public final class Coordinator {
  private Coordinator() {}

  @SuppressWarnings("DoNotCallSuggester")
  public static Cluster connect(Connection connection) throws IOException {
    throw new IOException("not yet");
  }
}
