package org.braid.hdfs.namenode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.braid.hdfs.testing.FileTrees;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The fixture that all tests of a class share, in a static field with {@code @RegisterExtension}:
 * JUnit starts its cluster before the first of them and stops it after the last.
 */
public final class SharedNameNode extends NameNodeFixture
    implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private final int racks;
  private final int nodes;
  private final Map<String, String> properties;
  private final boolean isWiped;
  private Path directory;

  private SharedNameNode(int racks, int nodes, Map<String, String> properties, boolean isWiped) {
    this.racks = racks;
    this.nodes = nodes;
    this.properties = properties;
    this.isWiped = isWiped;
  }

  /** A cluster that each test leaves to the next one as it is. */
  public static SharedNameNode of(int racks, int nodes, Map<String, String> properties) {
    return new SharedNameNode(racks, nodes, properties, false);
  }

  /** A cluster that is wiped after each test. */
  public static SharedNameNode wiped(int racks, int nodes, Map<String, String> properties) {
    return new SharedNameNode(racks, nodes, properties, true);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("braid-test");
    open(directory, racks, nodes, properties);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (isWiped) {
      wipe();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    close();
    FileTrees.delete(directory);
  }
}
