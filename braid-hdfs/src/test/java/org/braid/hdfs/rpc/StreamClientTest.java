package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.braid.engine.SliceSource;
import org.braid.testing.Await;
import org.braid.thread.DaemonThreads;
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

  /** As when another plan was faster: the run must not hold its memory and its helpers on. */
  @Test
  void aStreamThatIsClosedIsReadNoLongerThoughItsSenderIsSilent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      SliceSource source =
          StreamClient.open(
              new Configuration(),
              "127.0.0.1",
              silent.getLocalPort(),
              "run",
              3,
              10,
              StreamSecurity.none());
      FutureTask<Boolean> read =
          new FutureTask<>(
              () -> {
                source.read(0, ByteBuffer.allocate(10));
                return true;
              });
      Thread reader = DaemonThreads.of("reader", read);
      reader.start();
      Await.until(
          "the reader to wait",
          () ->
              Arrays.stream(reader.getStackTrace())
                  .anyMatch(frame -> frame.getMethodName().equals("select")));
      source.close();
      ExecutionException e =
          assertThrows(ExecutionException.class, () -> read.get(10, TimeUnit.SECONDS));
      assertInstanceOf(StreamException.class, e.getCause());
    }
  }

  /** Of all values that the property may have. */
  @Test
  void theLongestTimeOutIsOne() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt(StreamClient.TIMEOUT_KEY, Integer.MAX_VALUE);
    try (ServerSocket sender = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      int port = sender.getLocalPort();
      StreamClient.open(conf, "127.0.0.1", port, "run", 3, 10, StreamSecurity.none()).close();
    }
  }
}
