package org.braid.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.junit.jupiter.api.Test;

/** Which kept lab serves a run, and where labs keep data on a disk. */
final class LabSettingsTest {
  private static final LabSettings MEMORY =
      LabSettings.of(LabTopology.parse("1x1", 0), LinkLimits.NONE);
  private static final LabSettings DISK = MEMORY.in(Path.of("/disk"));

  /** The settings of a lab that runs, as other processes read them from its record. */
  private static LabSettings kept(LabSettings settings) {
    Optional<Path> data = settings.directory().map(disk -> LabDirectory.onDisk(disk, "lab"));
    return LabRecord.of("lab", settings, new Namespaces.Identity(1, 1, 2, 1, false), data)
        .settings();
  }

  @Test
  void aLabServesRunsWithDataAtTheSamePlaceOnly() {
    assertTrue(MEMORY.servedBy(kept(MEMORY)));
    assertTrue(DISK.servedBy(kept(DISK)));
    assertTrue(MEMORY.in(Path.of("/disk/../disk")).servedBy(kept(DISK)));
    assertFalse(DISK.servedBy(kept(MEMORY)));
    assertFalse(MEMORY.servedBy(kept(DISK)));
    assertFalse(MEMORY.in(Path.of("/other")).servedBy(kept(DISK)));
  }

  /** The registries of two directories of labs do not know each other's kept lab. */
  @Test
  void noTwoLabsShareADirectoryOfData() {
    Path disk = Path.of("/disk");
    Path first = LabDirectory.onDisk(disk, LabRegistry.KEPT);
    assertNotEquals(first, LabDirectory.onDisk(disk, LabRegistry.KEPT));
    assertEquals(disk, first.getParent());
  }
}
