package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.thread.DaemonThreads;
import org.junit.jupiter.api.Test;

final class RpcTest {
  @Test
  void reasonsAreBrief() {
    IOException hadoop =
        new IOException(
            "Call From vm/127.0.0.1 to localhost:42005 failed on connection exception:"
                + " java.net.ConnectException: Connection refused; For more details see: "
                + " http://wiki.apache.org/hadoop/ConnectionRefused");
    assertEquals("localhost:42005: Connection refused", Rpc.reason(hadoop));
    assertEquals(
        "nosuch:8020: no host has this name",
        Rpc.reason(
            NetUtils.wrapException("nosuch", 8020, "vm", 0, new UnknownHostException("nosuch"))));
    NoRouteToHostException cut = new NoRouteToHostException("No route to host");
    assertEquals(
        "far:8020: No route to host",
        Rpc.reason(NetUtils.wrapException("far", 8020, "vm", 0, cut)));
    assertEquals("no space: 3 bytes", Rpc.reason(new IOException("no space: 3 bytes")));
    assertEquals("null", Rpc.reason(new IOException()));
  }

  /** Hadoop's client adds both ends, the class and a page of its wiki to each failure. */
  @Test
  void failuresOfConnectionsKeepTheirClass() {
    Map.of(
            new EOFException(), "the connection was closed",
            new SocketException("Connection reset"), "Connection reset",
            new IOException("Response is too long"), "Response is too long",
            new IOException("disk1: No space left"), "disk1: No space left",
            new AccessControlException("no way to authenticate"), "no way to authenticate")
        .forEach(
            (failure, said) -> {
              IOException wrapped = NetUtils.wrapException("localhost", 39311, "vm", 0, failure);
              IOException shown =
                  assertThrows(
                      IOException.class,
                      () ->
                          Rpc.call(
                              () -> {
                                throw new ServiceException(wrapped);
                              }));
              assertEquals(failure.getClass(), shown.getClass());
              assertEquals("localhost:39311: " + said, shown.getMessage(), wrapped.getMessage());
            });
  }

  /** Threads are shared by the tasks of many jobs. */
  @Test
  void aTaskHasTheContextOfWhoeverGaveIt() throws Exception {
    ExecutorService threads = Rpc.threads(DaemonThreads.named("test"));
    CallerContext before = CallerContext.getCurrent();
    try {
      for (int i = 0; i < 100; i++) {
        CallerContext.setCurrent(i % 3 == 0 ? null : new CallerContext.Builder("job" + i).build());
        String given = String.valueOf(CallerContext.getCurrent());
        assertEquals(given, threads.submit(() -> String.valueOf(CallerContext.getCurrent())).get());
      }
    } finally {
      CallerContext.setCurrent(before);
      threads.shutdownNow();
    }
  }

  /** A server adds its stack trace to the message of what it did not expect. */
  @Test
  void noStackTraceOfAServerIsShown() {
    RemoteException remote =
        new RemoteException(
            FileNotFoundException.class.getName(), "no file\nat all\n\tat a.B.c(B.java:1)\n\tat d");
    FileNotFoundException shown =
        assertThrows(
            FileNotFoundException.class,
            () ->
                Rpc.call(
                    () -> {
                      throw new ServiceException(remote);
                    }));
    assertEquals("no file\nat all", shown.getMessage());
  }

  /** Such as a router, or a NameNode without the plugin. */
  @Test
  void aServerThatAuthorizesServicesDoesNotKnowTheProtocolEither() {
    for (String message :
        new String[] {
          "Unknown protocol: org.braid.hdfs.rpc.BraidNameNodePB",
          "Protocol interface org.braid.hdfs.rpc.BraidNameNodePB is not known."
        }) {
      assertThrows(
          RpcNoSuchProtocolException.class, () -> failing(AuthorizationException.class, message));
    }
    assertThrows(
        AuthorizationException.class,
        () -> failing(AuthorizationException.class, "User u is not authorized for protocol p"));
  }

  private static void failing(Class<? extends IOException> failure, String message)
      throws IOException {
    Rpc.call(
        () -> {
          throw new ServiceException(new RemoteException(failure.getName(), message));
        });
  }
}
