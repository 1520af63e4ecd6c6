package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.junit.jupiter.api.Test;

/** Removals look again beside calls that moved something, and not beside those that did not. */
final class MadeMovesTest {
  private final MovesBeside moves = new MovesBeside(60_000);

  /** Calls on a thread of its own, and tells whether a removal there has nothing to look at. */
  private boolean holdsBeside(LateAnswer.Stock<?> stock) throws Exception {
    try (MovesBeside.Taking taking = moves.take()) {
      taking.looks("/d", Optional.empty());
      Thread thread =
          new Thread(
              () -> {
                try (MovesBeside.Move move = moves.move(List.of("/x"), "/d/x")) {
                  GuardedCalls.moved(move, stock);
                } catch (ServiceException | IOException | IllegalStateException expected) {
                  assertThrows(expected.getClass(), stock::call);
                }
              });
      thread.start();
      thread.join();
      return taking.hold();
    }
  }

  private static RenameResponseProto answer(boolean result) {
    return RenameResponseProto.newBuilder().setResult(result).build();
  }

  private static <T> T refused(Exception cause) throws ServiceException {
    throw new ServiceException(cause);
  }

  private static <T> T failed() {
    throw new IllegalStateException("after it was made, perhaps");
  }

  @Test
  void whatHdfsHasMovedOrMayHaveStirs() throws Exception {
    assertFalse(holdsBeside(() -> answer(true)));
    assertFalse(holdsBeside(() -> "of another call"));
    assertFalse(holdsBeside(MadeMovesTest::failed));
  }

  @Test
  void whatHdfsSaysThatItHasNotMovedStirsNothing() throws Exception {
    assertTrue(holdsBeside(() -> answer(false)));
    assertTrue(holdsBeside(() -> refused(new AccessControlException("not yours"))));
    assertTrue(holdsBeside(() -> refused(new IOException("Invalid name"))));
  }
}
