package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.Test;

/** What callers take a worker's failures for. */
final class WorkerFailuresTest {
  private static void assertTold(boolean finding, Throwable failure, String message) {
    IOException told = WorkerService.told(failure);
    assertEquals(message, told.getMessage());
    RemoteException heard = new RemoteException(told.getClass().getName(), told.getMessage());
    assertEquals(finding, Rpc.isFinding(heard), heard.getClassName());
  }

  @Test
  void whatAWorkerFindsIsAFinding() {
    assertTold(true, new IOException("no replica of blk_1"), "no replica of blk_1");
    assertTold(true, new ChecksumException("checksum error", 7), "checksum error");
  }

  @Test
  void aWorkerThatCannotLookFindsNothing() {
    assertTold(false, new RetriableException("busy"), "busy");
    assertTold(false, new Rpc.NotServingException("stopping"), "stopping");
  }

  /** Such as the lack of memory or threads on a host with too much to do: replicas are well. */
  @Test
  void whatNobodyForesawSaysNothingOfAReplica() {
    assertTold(
        false,
        new OutOfMemoryError("unable to create native thread"),
        "java.lang.OutOfMemoryError: unable to create native thread");
    assertTold(
        false, new IllegalStateException("closed"), "java.lang.IllegalStateException: closed");
  }
}
