package org.braid.hdfs.testkit.lab;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.client.BraidAbstractFileSystem;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.dispatch.Connections;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.jspecify.annotations.Nullable;

/** The clients by which a driver reaches its cluster. Thread-safe. */
final class ClusterClients implements Closeable {
  private final Connection connection;
  private final Configuration conf;
  private final DistributedFileSystem files;
  private final NameNodeLink nameNode;
  private @Nullable Cluster braid;

  ClusterClients(Connection connection) throws IOException {
    this.connection = connection;
    conf = Connections.configuration(connection);
    files = Connections.open(conf);
    nameNode = new NameNodeLink(FileSystem.getDefaultUri(conf), conf);
  }

  /** HDFS's own client. */
  DistributedFileSystem files() {
    return files;
  }

  /** Braid's service of the NameNode. */
  NameNodeLink nameNode() {
    return nameNode;
  }

  /** Braid, connected at the first use. */
  synchronized Cluster braid() throws IOException {
    Cluster connected = braid;
    if (connected == null) {
      connected = Braid.connect(connection);
      braid = connected;
    }
    return connected;
  }

  /** A configuration in which a client is HDFS's own or Braid's. */
  Configuration configuration(Command.Client client, Map<String, String> properties) {
    Configuration copy = new Configuration(conf);
    if (client == Command.Client.BRAID) {
      copy.set("fs.hdfs.impl", BraidFileSystem.class.getName());
      copy.set("fs.AbstractFileSystem.hdfs.impl", BraidAbstractFileSystem.class.getName());
    }
    properties.forEach(copy::set);
    return copy;
  }

  /** A new client for reading, without caches of earlier reads. */
  DistributedFileSystem reader(Command.Client client, Map<String, String> properties)
      throws IOException {
    return Connections.open(configuration(client, properties));
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (braid != null) {
        braid.close();
      }
    }
    nameNode.close();
    files.close();
  }
}
