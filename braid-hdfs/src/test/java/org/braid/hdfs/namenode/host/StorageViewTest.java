package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;

final class StorageViewTest {
  private static StorageReport report(
      String id, StorageType type, DatanodeStorage.State state, long remaining) {
    return new StorageReport(new DatanodeStorage(id, state, type), false, 1000, 0, remaining, 0, 0);
  }

  private static StorageReport report(String id, StorageType type, long remaining) {
    return report(id, type, DatanodeStorage.State.NORMAL, remaining);
  }

  @Test
  void aNodeAllOfWhoseStoragesFailedHasNoRoom() {
    StorageReport report = report("a", StorageType.DISK, DatanodeStorage.State.FAILED, 70);
    assertEquals(Map.of("DISK", 0L), StorageView.rooms(report));
    assertEquals(Map.of("DISK", 0L), StorageView.rooms(report, report));
    assertEquals(Map.of(), StorageView.rooms(), "it has not reported yet");
  }

  @Test
  void aBlockNeedsRoomOnOneStorage() {
    assertEquals(
        Map.of("DISK", 70L, "SSD", 5L),
        StorageView.rooms(
            report("a", StorageType.DISK, 60),
            report("b", StorageType.DISK, 70),
            report("c", StorageType.SSD, 5)));
    assertEquals(
        Map.of("DISK", 70L),
        StorageView.rooms(report("a", StorageType.DISK, 60), report("b", StorageType.DISK, 70)));
  }

  @Test
  void oneOrdinaryDiskIsNotMentioned() {
    assertEquals(Map.of(), StorageView.rooms(report("a", StorageType.DISK, 60)));
    assertEquals(Map.of("ARCHIVE", 60L), StorageView.rooms(report("a", StorageType.ARCHIVE, 60)));
  }

  @Test
  void failedStorageHasNoRoom() {
    assertEquals(
        Map.of("DISK", 60L),
        StorageView.rooms(
            report("a", StorageType.DISK, 60),
            report("b", StorageType.DISK, DatanodeStorage.State.FAILED, 70),
            report("c", StorageType.ARCHIVE, DatanodeStorage.State.FAILED, 70)));
  }
}
