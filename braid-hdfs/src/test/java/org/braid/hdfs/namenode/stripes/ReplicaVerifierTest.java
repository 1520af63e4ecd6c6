package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.stripes.ReplicaVerifier.NoWorkerException;
import org.braid.hdfs.namenode.stripes.ReplicaVerifier.UnansweredException;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.Test;

/** What an unsuccessful call of a worker says of the replica that it was to read. */
final class ReplicaVerifierTest {
  private static Class<?> typeOf(Throwable cause) {
    try {
      return Rpc.call(
          () -> {
            throw new ServiceException(cause);
          });
    } catch (IOException e) {
      return ReplicaVerifier.failure(new ExecutionException(e)).getClass();
    }
  }

  private static Class<?> typeOfRemote(Class<?> type) {
    return typeOf(new RemoteException(type.getName(), "it says so"));
  }

  @Test
  void whatAWorkerSaysIsKnown() {
    assertEquals(IOException.class, typeOfRemote(IOException.class));
  }

  @Test
  void aFailureWhoseCausesGoRoundTellsNothingEither() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    inner.initCause(outer);
    IOException failure =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> ReplicaVerifier.failure(new ExecutionException(outer)));
    assertEquals(UnansweredException.class, failure.getClass());
  }

  @Test
  void aNodeWithoutAWorkerIsKnownToBeOne() {
    assertEquals(NoWorkerException.class, typeOfRemote(RpcNoSuchProtocolException.class));
    RemoteException unauthorized =
        new RemoteException(
            AuthorizationException.class.getName(),
            "Protocol interface " + BraidWorkerPB.class.getName() + " is not known.");
    assertEquals(NoWorkerException.class, typeOf(unauthorized));
  }

  @Test
  void nothingIsKnownFromAWorkerThatDoesNotAnswer() {
    assertEquals(UnansweredException.class, typeOf(new ConnectException("refused")));
    assertEquals(UnansweredException.class, typeOf(new SocketTimeoutException("60 s")));
    assertEquals(UnansweredException.class, typeOfRemote(RetriableException.class));
    assertEquals(UnansweredException.class, typeOf(new IOException("the connection broke")));
  }

  @Test
  void nothingIsKnownFromAWorkerThatCannotLook() {
    assertEquals(UnansweredException.class, typeOfRemote(Rpc.NotServingException.class));
    assertEquals(UnansweredException.class, typeOfRemote(AccessControlException.class));
    assertEquals(UnansweredException.class, typeOfRemote(RpcNoSuchMethodException.class));
    assertEquals(UnansweredException.class, typeOfRemote(OutOfMemoryError.class));
  }
}
