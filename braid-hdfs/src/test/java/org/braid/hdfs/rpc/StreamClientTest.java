package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.junit.jupiter.api.Test;

/** How a receiver connects. */
final class StreamClientTest {
  private final AtomicInteger forgotten = new AtomicInteger();

  private static void open(ServerSocket sender, StreamSecurity security) throws IOException {
    Configuration conf = new Configuration(false);
    StreamClient.open(conf, "127.0.0.1", sender.getLocalPort(), "run", 3, 10, security).close();
  }

  /** As after a restart of NameNode and DataNode: HDFS itself asks for another key then, too. */
  @Test
  void aKeyThatTheSenderDoesNotKnowIsMadeAnewOnce() throws Exception {
    try (ServerSocket sender = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      StreamSecurity old =
          (socket, out, in) -> {
            if (forgotten.get() == 0) {
              throw new InvalidEncryptionKeyException("unknown key");
            }
            return new IOStreamPair(in, out);
          };
      open(sender, StreamSecurity.renewing(old, forgotten::incrementAndGet));
      assertEquals(1, forgotten.get());
      StreamSecurity never =
          (socket, out, in) -> {
            throw new InvalidEncryptionKeyException("unknown key");
          };
      StreamException e =
          assertThrows(
              StreamException.class,
              () -> open(sender, StreamSecurity.renewing(never, forgotten::incrementAndGet)));
      assertTrue(String.valueOf(e.getMessage()).endsWith(": unknown key"), e.getMessage());
      assertEquals(3, forgotten.get());
    }
  }
}
