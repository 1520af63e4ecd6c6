package org.braid.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineTest {
  @Test
  void theProcessorHasAName(@TempDir Path directory) throws Exception {
    Path info = Files.writeString(directory.resolve("a"), "x : y\nmodel name\t: Some CPU 7\n");
    String architecture = System.getProperty("os.arch");
    assertEquals("Some CPU 7 (" + architecture + ")", Machine.cpu(info));
    assertEquals(architecture, Machine.cpu(directory.resolve("none")));
    assertEquals(architecture, Machine.cpu(Files.writeString(directory.resolve("b"), "x : y\n")));
    assertTrue(Machine.here().cores() > 0);
  }
}
