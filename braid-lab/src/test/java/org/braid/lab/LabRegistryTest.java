package org.braid.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.braid.experiment.ExperimentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is taken down, and what is not: the place may be any directory of a user. */
final class LabRegistryTest {
  @TempDir Path place;

  private Path directory(String name) throws Exception {
    return Files.createDirectories(place.resolve(name));
  }

  @Test
  void whatIsNoLabStays() throws Exception {
    Path photos = directory("photos");
    Files.writeString(photos.resolve("x"), "x");
    directory(".ssh");
    directory("run-away");
    Path elsewhere = directory("laboratory");
    Files.createSymbolicLink(place.resolve("lab"), elsewhere);
    LabRegistry labs = LabRegistry.in(place);
    assertEquals(List.of(), labs.list());
    assertEquals(List.of(), labs.down(LabRegistry.Scope.ALL));
    assertTrue(Files.exists(photos.resolve("x")));
    assertTrue(Files.exists(place.resolve(".ssh")));
    assertTrue(Files.exists(place.resolve("run-away")));
    assertTrue(Files.exists(elsewhere));
  }

  /** It has no record yet. */
  @Test
  void aLabThatAProcessIsStartingStays() throws Exception {
    Path starting = directory("run-" + ProcessHandle.current().pid() + "-1");
    Path left = directory("run-999999999999-1");
    LabRegistry labs = LabRegistry.in(place);
    assertEquals(1, labs.down(LabRegistry.Scope.KEPT).size());
    assertTrue(Files.exists(starting));
    assertFalse(Files.exists(left));
  }

  /** Its processes could not be found any more. */
  @Test
  void aLabWhoseRecordCannotBeReadIsNamed() throws Exception {
    Path torn = directory("lab");
    Files.writeString(torn.resolve("lab.json"), "{");
    LabRegistry labs = LabRegistry.in(place);
    ExperimentException e =
        assertThrows(ExperimentException.class, () -> labs.down(LabRegistry.Scope.KEPT));
    assertTrue(String.valueOf(e.getMessage()).contains(torn.toString()), e.getMessage());
    assertTrue(Files.exists(torn));
  }
}
