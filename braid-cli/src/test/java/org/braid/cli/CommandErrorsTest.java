package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CommandErrorsTest {
  @Test
  void memoryThatIsNotEnoughIsRaisedInTheWayOfEachLauncher() {
    String line = CommandErrors.line(new OutOfMemoryError());
    assertTrue(line.contains("BRAID_JAVA_OPTS=-Xmx"), line);
    assertTrue(line.contains("hdfs braid with HADOOP_HEAPSIZE_MAX="), line);
  }
}
