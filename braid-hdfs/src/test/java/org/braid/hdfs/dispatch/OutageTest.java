package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.Test;

/** Which failures of the NameNode pass, and for how long they are waited for. */
final class OutageTest {
  private final Outage outage = new Outage();

  @Test
  void aNameNodeThatDoesNotAnswerIsWaitedFor() throws Exception {
    outage.goesOn(new ConnectException("refused"), 0);
    outage.goesOn(new SocketTimeoutException("60000 millis timeout"), 1000);
    outage.goesOn(new RemoteException(StandbyException.class.getName(), "READ"), 2000);
    assertTrue(outage.lasts());
    outage.end();
    assertFalse(outage.lasts());
  }

  /** It answers calls before its plugins start. */
  @Test
  void aNameNodeThatStartsIsWaitedFor() throws Exception {
    String unknown = "Protocol org.braid.hdfs.BraidNameNode is not known.";
    outage.goesOn(new RpcNoSuchProtocolException("Unknown protocol: BraidNameNode"), 0);
    outage.goesOn(new RemoteException(RpcNoSuchProtocolException.class.getName(), "Unknown"), 0);
    outage.goesOn(new RemoteException(AuthorizationException.class.getName(), unknown), 1000);
    assertTrue(outage.lasts());
  }

  /** What a repair says of a worker that is not started is no word of the NameNode. */
  @Test
  void aWorkerThatIsNotStartedIsNoOutage() {
    assertFalse(Outage.isPassing(new IOException("dn1: Unknown protocol: BraidWorker")));
    assertFalse(Outage.isPassing(new AuthorizationException("User alice is not authorized")));
  }

  @Test
  void whatDoesNotPassIsThrownAndIsNoOutage() {
    IOException refused = new AccessControlException("not the superuser");
    assertSame(refused, assertThrows(IOException.class, () -> outage.goesOn(refused, 0)));
    assertFalse(outage.lasts());
    assertThrows(
        InterruptedIOException.class,
        () -> outage.goesOn(new InterruptedIOException("interrupted"), 0));
    assertFalse(outage.lasts());
  }

  @Test
  void anOutageThatLastsTooLongIsThrown() throws Exception {
    outage.goesOn(new ConnectException("refused"), 5000);
    outage.goesOn(new ConnectException("refused"), 5000 + Outage.MOST_MILLIS - 1);
    IOException last = new ConnectException("still refused");
    assertSame(
        last,
        assertThrows(IOException.class, () -> outage.goesOn(last, 5000 + Outage.MOST_MILLIS)));
  }

  @Test
  void anAnswerEndsIt() throws Exception {
    outage.goesOn(new ConnectException("refused"), 0);
    assertEquals(7, outage.ask(() -> 7, () -> 0).orElseThrow());
    assertFalse(outage.lasts());
    assertTrue(
        outage
            .ask(
                () -> {
                  throw new ConnectException("refused");
                },
                () -> 0)
            .isEmpty());
    assertTrue(outage.lasts());
  }
}
