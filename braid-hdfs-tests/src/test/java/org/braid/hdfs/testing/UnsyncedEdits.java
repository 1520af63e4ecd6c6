package org.braid.hdfs.testing;

import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has NameNodes of tests leave their edits to the operating system, as those of Hadoop's own tests
 * do: no test takes its power away, and each change of the namespace waited for the disk.
 */
public final class UnsyncedEdits implements BeforeAllCallback {
  /** Called by JUnit. */
  public UnsyncedEdits() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
  }
}
