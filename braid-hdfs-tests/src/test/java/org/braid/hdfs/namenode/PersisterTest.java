package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.testing.InjectedFaults;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens to a file while its blocks are looked at, for which the lock is given back. */
final class PersisterTest {
  private static final List<String> CHANGED =
      List.of("it has changed while its blocks were looked at");

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(5, 5, Map.of());

  /** What a user does. */
  private interface Act {
    void run() throws Exception;
  }

  @AfterEach
  void clear() {
    InjectedFaults.clear();
  }

  private static FileProto trimmed(String path) throws Exception {
    FileProto file = fixture.write(path, 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    return file;
  }

  private static PersistResponseProto persist(FileProto file, Act meanwhile) throws Exception {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.NAMENODE_PERSIST) {
            try {
              meanwhile.run();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
    return Rpc.call(
        () ->
            fixture.stub.persist(
                null,
                PersistRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setInode(file.getInode())
                    .build()));
  }

  private static int replication(String path) throws Exception {
    return fixture.file(path).getReplication();
  }

  @Test
  void aFileThatNobodyTouchesIsPersisted() throws Exception {
    FileProto file = trimmed("/f");
    assertEquals(List.of(), persist(file, () -> {}).getRefusalsList());
    assertEquals(1, replication("/f"));
  }

  @Test
  void aFileThatUsersGiveReplicasMeanwhileKeepsThem() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/raised");
    FileProto file = trimmed("/raised");
    PersistResponseProto answer =
        persist(file, () -> assertTrue(fixture.fs.setReplication(path, (short) 2)));
    assertEquals(CHANGED, answer.getRefusalsList());
    assertTrue(answer.getRepeatable());
    assertEquals(2, replication("/raised"));
  }

  @Test
  void aFileThatASnapshotHoldsMeanwhileKeepsItsReplication() throws Exception {
    var top = new org.apache.hadoop.fs.Path("/held");
    FileProto file = trimmed("/held/f");
    fixture.fs.allowSnapshot(top);
    PersistResponseProto answer = persist(file, () -> fixture.fs.createSnapshot(top, "s"));
    assertEquals(CHANGED, answer.getRefusalsList());
    assertEquals(3, replication("/held/f"));
  }
}
