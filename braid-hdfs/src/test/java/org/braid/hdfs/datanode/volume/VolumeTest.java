package org.braid.hdfs.datanode.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

final class VolumeTest {
  private static final List<Volume> VOLUMES =
      List.of(
          new Volume(StorageType.RAM_DISK, "memory", 1000),
          new Volume(StorageType.DISK, "disk", 50),
          new Volume(StorageType.DISK, "other disk", 60),
          new Volume(StorageType.SSD, "fast", 900),
          new Volume(StorageType.ARCHIVE, "archive", 300));

  private static String chosen(long bytes, String... types) {
    return Volume.choose(VOLUMES, List.of(types), bytes).map(Volume::id).orElse("none");
  }

  @Test
  void anOrdinaryDiskIsBestWhereNoTypeIsAskedFor() {
    assertEquals("other disk", chosen(10));
    List<Volume> others = List.of(VOLUMES.get(0), VOLUMES.get(3));
    assertEquals("fast", Volume.choose(others, List.of(), 10).orElseThrow().id());
    List<Volume> memory = VOLUMES.subList(0, 1);
    assertEquals("memory", Volume.choose(memory, List.of(), 10).orElseThrow().id());
  }

  /** As HDFS does for another replica of an ordinary file. */
  @Test
  void anArchiveStandsInForFullDisksWhereNoTypeIsAskedFor() {
    assertEquals("archive", chosen(61));
    assertEquals("archive", chosen(300));
    assertEquals("other disk", chosen(301), "HDFS says that it has no room");
  }

  @Test
  void theFirstTypeWithRoomIsChosen() {
    assertEquals("archive", chosen(10, "ARCHIVE"));
    assertEquals("archive", chosen(100, "DISK", "ARCHIVE"));
    assertEquals("other disk", chosen(60, "DISK", "ARCHIVE"));
    assertEquals("none", chosen(301, "ARCHIVE"));
    assertEquals("none", chosen(1, "NVDIMM", "unheard of"));
  }
}
