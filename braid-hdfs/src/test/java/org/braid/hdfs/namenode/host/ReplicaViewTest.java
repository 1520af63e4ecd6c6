package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;

final class ReplicaViewTest {
  /** A storage that a node has reported. */
  private static DatanodeStorageInfo storage(DatanodeDescriptor node) throws Exception {
    Method update =
        DatanodeDescriptor.class.getDeclaredMethod("updateStorage", DatanodeStorage.class);
    update.setAccessible(true);
    update.invoke(node, new DatanodeStorage("s", DatanodeStorage.State.NORMAL, StorageType.DISK));
    return node.getStorageInfo("s");
  }

  /** HDFS calls it in service and alive until its next heartbeat is refused. */
  @Test
  void aCopyOnAHostThatMayNotRegisterIsNoneToKeep() throws Exception {
    DatanodeDescriptor node =
        new DatanodeDescriptor(new DatanodeID("127.0.0.1", "n", "n", 1, 2, 3, 4));
    node.setAlive(true);
    ReplicaView copy = new ReplicaView(storage(node), false, false);
    assertTrue(copy.good());
    node.setDisallowed(true);
    assertFalse(copy.good());
    assertTrue(copy.usable(), "it can be read for as long as it is there");
  }
}
