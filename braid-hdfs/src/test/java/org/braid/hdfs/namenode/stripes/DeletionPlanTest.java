package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Constructor;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.braid.hdfs.namenode.stripes.DeletionPlan.Decision;
import org.junit.jupiter.api.Test;

final class DeletionPlanTest {
  private static DatanodeStorageInfo storage(String node, int port, String id) throws Exception {
    Constructor<DatanodeStorageInfo> constructor =
        DatanodeStorageInfo.class.getDeclaredConstructor(
            DatanodeDescriptor.class, DatanodeStorage.class);
    constructor.setAccessible(true);
    return constructor.newInstance(
        new DatanodeDescriptor(
            new DatanodeID("127.0.0.1", node, node, port, port + 1, port + 2, port + 3)),
        new DatanodeStorage(id, DatanodeStorage.State.NORMAL, StorageType.DISK));
  }

  @Test
  void allGoButTheOneToKeep() throws Exception {
    DatanodeStorageInfo one = storage("a", 100, "DS-1");
    DatanodeStorageInfo other = storage("b", 200, "DS-2");
    assertEquals(List.of(other), Decision.keeping(one).surplus(List.of(one, other)));
    assertEquals(List.of(one), Decision.keeping(other).surplus(List.of(one, other)));
  }

  @Test
  void noneGoesWhenTheOneToKeepIsNotAmongThem() throws Exception {
    DatanodeStorageInfo one = storage("a", 100, "DS-1");
    DatanodeStorageInfo other = storage("b", 200, "DS-1");
    assertEquals(List.of(), Decision.keeping(one).surplus(List.of(other)));
  }

  /** The id of a disk stays when its DataNode comes back under another name. */
  @Test
  void disksOfTheSameIdAreToldApartByTheirNodes() throws Exception {
    DatanodeStorageInfo before = storage("before", 100, "DS-1");
    DatanodeStorageInfo after = storage("after", 200, "DS-1");
    assertEquals(before, after, "HDFS calls them equal");
    assertSame(before, Decision.keeping(after).surplus(List.of(before, after)).get(0));
    assertSame(after, Decision.keeping(before).surplus(List.of(before, after)).get(0));
  }

  @Test
  void allStayWhereOnlyTheAimIsLowered() throws Exception {
    DatanodeStorageInfo one = storage("a", 100, "DS-1");
    DatanodeStorageInfo other = storage("b", 200, "DS-2");
    assertEquals(List.of(), Decision.ALL.surplus(List.of(one, other)));
    assertThrows(IllegalStateException.class, () -> Decision.STOCK.surplus(List.of(one, other)));
  }
}
