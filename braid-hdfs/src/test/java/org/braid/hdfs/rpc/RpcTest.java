package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
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
}
