package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
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
    assertEquals("no space: 3 bytes", Rpc.reason(new IOException("no space: 3 bytes")));
    assertEquals("null", Rpc.reason(new IOException()));
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
}
