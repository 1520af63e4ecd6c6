package org.braid.hdfs.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.rpc.StreamException;
import org.junit.jupiter.api.Test;

/** Who is to blame when both ends of a stream fail. */
final class FragmentEndTest {
  private static final FragmentEnd SENDER = end(0, StreamException.class);

  private static FragmentEnd end(int node, Class<? extends IOException> type) {
    RemoteException remote = new RemoteException(type.getName(), "of node " + node);
    return new FragmentEnd(node, WorkerException.of(new ServiceException(remote)));
  }

  private static FragmentEnd cause(
      FragmentEnd first, Set<Integer> open, long millis, FragmentEnd... others)
      throws InterruptedException {
    BlockingQueue<FragmentEnd> ends = new LinkedBlockingQueue<>(List.of(others));
    return FragmentEnd.cause(first, ends, open, millis);
  }

  @Test
  void theSenderIsNotBlamedForTheReceiversDisk() throws Exception {
    FragmentEnd full = end(2, IOException.class);
    Set<Integer> open = new TreeSet<>(Set.of(1, 2, 3));
    FragmentEnd done = new FragmentEnd(1, null);
    assertSame(full, cause(SENDER, open, 60_000, done, end(3, StreamException.class), full));
    assertEquals(Set.of(), open);
  }

  @Test
  void whoIsBusyOrUnreachableIsACause() throws Exception {
    FragmentEnd busy = end(1, RetriableException.class);
    assertSame(busy, cause(SENDER, new TreeSet<>(Set.of(1)), 60_000, busy));
    FragmentEnd gone = new FragmentEnd(1, WorkerException.unreachable(new IOException("refused")));
    assertSame(gone, cause(SENDER, new TreeSet<>(Set.of(1)), 60_000, gone));
  }

  @Test
  void aFailureOfItsOwnNeedsNoOther() throws Exception {
    FragmentEnd own = end(0, IOException.class);
    Set<Integer> open = new TreeSet<>(Set.of(1));
    assertSame(own, cause(own, open, 60_000, end(1, IOException.class)));
    assertEquals(Set.of(1), open);
  }

  @Test
  void theFirstIsBlamedWhereNobodyHasACause() throws Exception {
    FragmentEnd other = end(1, StreamException.class);
    assertSame(SENDER, cause(SENDER, new TreeSet<>(Set.of(1)), 60_000, other));
    assertSame(SENDER, cause(SENDER, new TreeSet<>(), 60_000));
    assertSame(SENDER, cause(SENDER, new TreeSet<>(Set.of(1)), 10));
  }

  /** Else a conversion avoids good nodes for all further stripes. */
  @Test
  void noNodeIsToBlameForAQuotaOrForBeingBusy() {
    assertTrue(end(0, IOException.class).blamesNode());
    assertTrue(SENDER.blamesNode());
    assertFalse(end(0, RetriableException.class).blamesNode());
    assertFalse(end(0, DSQuotaExceededException.class).blamesNode());
    assertFalse(new FragmentEnd(0, null).blamesNode());
  }
}
