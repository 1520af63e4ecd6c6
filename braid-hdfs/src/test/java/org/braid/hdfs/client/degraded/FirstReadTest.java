package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.braid.testing.ColdStart;
import org.junit.jupiter.api.Test;

/** What the first read of a lost block costs a JVM that has just been started. */
final class FirstReadTest {
  /** The helpers of a chain have added up everything: the reader receives the block itself. */
  @Test
  void aReaderThatComputesNothingLoadsNoIsal() throws IOException, InterruptedException {
    Set<String> loaded = ColdStart.classes(FirstRead.class);
    assertTrue(loaded.contains(DegradedReader.class.getName()), "it has read");
    assertEquals(
        List.of(), loaded.stream().filter(name -> name.startsWith("com.sun.jna.")).toList());
  }
}
