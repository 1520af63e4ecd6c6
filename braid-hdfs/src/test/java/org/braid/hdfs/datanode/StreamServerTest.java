package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.net.NetUtils;
import org.braid.testing.Await;
import org.braid.thread.DaemonThreads;
import org.junit.jupiter.api.Test;

/** Connections that a worker sends away. */
final class StreamServerTest {
  /** A thousand others may come meanwhile, each of which has a thread. */
  @Test
  void aConnectionThatIsClosedIsReadNoLonger() throws Exception {
    try (ServerSocketChannel listener =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Socket silent =
            new Socket(InetAddress.getLoopbackAddress(), listener.socket().getLocalPort());
        Socket receiver = listener.accept().socket()) {
      InputStream in = NetUtils.getInputStream(receiver, 60_000);
      FutureTask<String> read =
          new FutureTask<>(
              () -> {
                try {
                  return in.read() < 0 ? "ended" : "bytes came";
                } catch (IOException e) {
                  return "ended";
                }
              });
      Thread reader = DaemonThreads.of("reader", read);
      reader.start();
      Await.until(
          "the reader to wait",
          () ->
              Arrays.stream(reader.getStackTrace())
                  .anyMatch(frame -> frame.getMethodName().equals("select")));
      StreamServer.closeQuietly(receiver);
      assertEquals("ended", read.get(10, TimeUnit.SECONDS));
      assertEquals(-1, silent.getInputStream().read());
    }
  }
}
