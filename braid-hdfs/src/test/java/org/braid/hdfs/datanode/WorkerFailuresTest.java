package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.datanode.scrub.SystemErrors;
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

  /** Else whoever called would wait for ever. */
  @Test
  void aFailureWhoseCausesGoRoundIsToldAsWell() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    inner.initCause(outer);
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> assertTold(true, outer, "outer"));
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

  /** A replica that is the only one of its block would be taken for lost. */
  @Test
  void aNodeThatStopsOrMayOpenNoMoreFilesFindsNothing() {
    assertTold(
        false, new ClosedByInterruptException(), "java.nio.channels.ClosedByInterruptException");
    assertTold(
        false,
        new FileSystemException("blk_1", null, "Too many open files"),
        "java.nio.file.FileSystemException: blk_1: Too many open files");
    assertTold(
        false,
        new FileNotFoundException("blk_1.meta (Too many open files)"),
        "java.io.FileNotFoundException: blk_1.meta (Too many open files)");
    assertTold(
        false,
        new IOException("not read", new ClosedChannelException()),
        "java.io.IOException: not read");
    assertTold(true, new NoSuchFileException("blk_1"), "blk_1");
    assertTold(
        true,
        new FileNotFoundException("blk_1.meta (No such file or directory)"),
        "blk_1.meta (No such file or directory)");
  }

  /** The others of the node may be well: it is not the node that fails. */
  @Test
  void aFileThatItsDiskDoesNotOpenIsAFinding() {
    for (String reason : List.of("Input/output error", "Structure needs cleaning")) {
      FileSystemException failure = new FileSystemException("blk_1", null, reason);
      assertTold(true, SystemErrors.HERE.ofOpening(failure), "blk_1: " + reason);
    }
    FileSystemException many = new FileSystemException("blk_1", null, "Too many open files");
    assertSame(many, SystemErrors.HERE.ofOpening(many));
  }

  /** It serves its block pool before it has found all of its replicas. */
  @Test
  void aDataNodeThatStartsDoesNotSayThatAReplicaIsMissing() throws IOException {
    Rpc.NotServingException starting =
        assertThrows(
            Rpc.NotServingException.class,
            () ->
                Replicas.settled(
                    () -> null,
                    () -> {
                      throw new IOException("not registered");
                    }));
    assertEquals("the DataNode is starting: not registered", starting.getMessage());
    assertNull(Replicas.<String>settled(() -> null, () -> "registered"));
    String[] found = new String[1];
    assertEquals(
        "blk_1",
        Replicas.settled(
            () -> found[0],
            () -> {
              found[0] = "blk_1";
              return "just registered";
            }));
    assertEquals(
        "blk_1",
        Replicas.settled(
            () -> "blk_1",
            () -> {
              throw new IOException("not registered");
            }));
  }
}
