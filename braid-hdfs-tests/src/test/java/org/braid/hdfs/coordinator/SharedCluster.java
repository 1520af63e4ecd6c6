package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The fixture that all tests of a class share, in a static field with {@code @RegisterExtension}:
 * JUnit starts its cluster before the first of them and stops it after the last.
 */
final class SharedCluster extends ClusterFixture implements BeforeAllCallback, AfterAllCallback {
  private interface Start {
    void run() throws IOException;
  }

  private final Start start;

  SharedCluster(int racks, int nodes) {
    this(racks, nodes, Map.of());
  }

  SharedCluster(int racks, int nodes, Map<String, String> properties) {
    this(1, racks, nodes, properties);
  }

  SharedCluster(int sites, int racks, int nodes, Map<String, String> properties) {
    this(sites, racks, nodes, properties, 1);
  }

  SharedCluster(int sites, int racks, int nodes, Map<String, String> properties, int nameNodes) {
    start = () -> open(sites, racks, nodes, properties, nameNodes);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    start.run();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    close();
  }
}
