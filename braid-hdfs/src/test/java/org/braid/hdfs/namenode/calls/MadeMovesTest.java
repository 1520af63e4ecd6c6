package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.junit.jupiter.api.Test;

/** Removals look again beside calls that moved something, and not beside those that did not. */
final class MadeMovesTest {
  private final MovesBeside moves = new MovesBeside(60_000);

  private interface Call {
    void make(MovesBeside.Move move) throws Exception;
  }

  private boolean holdsBeside(LateAnswer.Stock<?> stock) throws Exception {
    return holds(move -> GuardedCalls.moved(move, stock));
  }

  private boolean holdsBesideAnswer(int status) throws Exception {
    return holds(
        move ->
            ToolFilter.moved(
                move, (asked, told) -> {}, of(HttpServletRequest.class, status), answer(status)));
  }

  private static HttpServletResponse answer(int status) {
    return of(HttpServletResponse.class, status);
  }

  /** What knows a status and nothing else. */
  private static <T> T of(Class<T> type, int status) {
    return type.cast(
        Proxy.newProxyInstance(
            MadeMovesTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              assertEquals("getStatus", called.getName());
              return status;
            }));
  }

  /** Calls on a thread of its own, and tells whether a removal there has nothing to look at. */
  private boolean holds(Call call) throws Exception {
    try (MovesBeside.Taking taking = moves.take()) {
      taking.looks("/d", Optional.empty());
      CompletableFuture<Void> called =
          CompletableFuture.runAsync(
              () -> {
                try (MovesBeside.Move move = moves.move(List.of("/x"), "/d/x")) {
                  call.make(move);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              });
      called.handle((done, failure) -> failure).get(60, TimeUnit.SECONDS);
      return taking.hold();
    }
  }

  private static RenameResponseProto answer(boolean result) {
    return RenameResponseProto.newBuilder().setResult(result).build();
  }

  private static String refused(Exception cause) throws ServiceException {
    throw new ServiceException(cause);
  }

  private static String failed() {
    throw new IllegalStateException("after it was made, perhaps");
  }

  @Test
  void whatHdfsHasMovedOrMayHaveStirs() throws Exception {
    assertFalse(holdsBeside(() -> answer(true)));
    assertFalse(holdsBeside(() -> "of another call"));
    assertFalse(holdsBeside(MadeMovesTest::failed));
    assertFalse(holdsBesideAnswer(200));
    assertFalse(holdsBesideAnswer(500));
  }

  @Test
  void whatHdfsSaysThatItHasNotMovedStirsNothing() throws Exception {
    assertTrue(holdsBeside(() -> answer(false)));
    assertTrue(holdsBeside(() -> refused(new AccessControlException("not yours"))));
    assertTrue(holdsBeside(() -> refused(new IOException("Invalid name"))));
    assertTrue(holdsBesideAnswer(400));
    assertTrue(holdsBesideAnswer(403));
    assertTrue(holdsBesideAnswer(404));
  }
}
