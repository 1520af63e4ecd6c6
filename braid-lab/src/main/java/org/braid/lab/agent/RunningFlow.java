package org.braid.lab.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/** Bytes from one host to another: a thread in the network of each. */
final class RunningFlow {
  /** What one write or datagram takes: whole frames with datagrams, much work at once with TCP. */
  private static final int STREAM_BYTES = 65536;

  private static final int DATAGRAM_BYTES = 1472;
  private static final long START_SECONDS = 10;

  /** Largest backlog in seconds that is sent at once after the thread was not scheduled. */
  private static final double CATCH_UP = 0.05;

  private final String from;
  private final String to;
  private final String address;
  private final boolean udp;
  private final double rate;
  private final AtomicLong received = new AtomicLong();
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final CompletableFuture<Boolean> sending = new CompletableFuture<>();
  private volatile boolean stopped;
  private volatile @Nullable AutoCloseable receiving;

  /**
   * A flow, not started.
   *
   * @param address of the host that receives
   * @param rate bytes a second; 0: as fast as possible
   */
  RunningFlow(String from, String to, String address, boolean udp, double rate) {
    this.from = from;
    this.to = to;
    this.address = address;
    this.udp = udp;
    this.rate = rate;
  }

  /** Starts the flow; bytes flow on return. */
  void start() throws IOException, InterruptedException {
    thread(
        "receiver",
        () -> {
          NetworkNamespace.enter(to);
          receive();
        });
    await(port);
    thread(
        "sender",
        () -> {
          NetworkNamespace.enter(from);
          send();
        });
    await(sending);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void thread(String role, Work work) {
    DaemonThreads.of(
            role + " " + from + "-" + to,
            () -> {
              try {
                work.run();
              } catch (ClosedChannelException e) {
                fail(new IOException("it was stopped", e));
              } catch (IOException | RuntimeException | LinkageError e) {
                fail(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .start();
  }

  private void fail(Throwable e) {
    port.completeExceptionally(e);
    sending.completeExceptionally(e);
  }

  private <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "no flow from %s to %s: %s".formatted(from, to, cause.getMessage()), cause);
    }
  }

  private void receive() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(address), 0);
    if (udp) {
      try (DatagramChannel channel = DatagramChannel.open()) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        channel.bind(any);
        receiving = channel;
        port.complete(((InetSocketAddress) channel.getLocalAddress()).getPort());
        ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
        while (!stopped) {
          buffer.clear();
          channel.receive(buffer);
          received.addAndGet(buffer.position());
        }
      }
      return;
    }
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(any);
      port.complete(((InetSocketAddress) server.getLocalAddress()).getPort());
      try (SocketChannel channel = server.accept()) {
        receiving = channel;
        ByteBuffer buffer = ByteBuffer.allocateDirect(4 * STREAM_BYTES);
        for (int count = 0; count >= 0 && !stopped; count = channel.read(buffer.clear())) {
          received.addAndGet(count);
        }
      }
    }
  }

  private void send() throws IOException {
    InetSocketAddress target = new InetSocketAddress(InetAddress.getByName(address), port.join());
    if (udp) {
      try (DatagramChannel channel = DatagramChannel.open()) {
        channel.connect(target);
        pump(channel, DATAGRAM_BYTES);
      }
    } else {
      try (SocketChannel channel = SocketChannel.open(target)) {
        pump(channel, STREAM_BYTES);
      }
    }
  }

  private void pump(ByteChannel channel, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    sending.complete(true);
    double due = System.nanoTime() * 1e-9;
    while (!stopped) {
      if (rate > 0) {
        double now = System.nanoTime() * 1e-9;
        due = Math.max(due, now - CATCH_UP) + bytes / rate;
        if (due > now) {
          LockSupport.parkNanos((long) ((due - now) * 1e9));
        }
      }
      buffer.clear();
      while (buffer.hasRemaining() && !stopped) {
        channel.write(buffer);
      }
    }
  }

  /** Bytes received. */
  long received() {
    return received.get();
  }

  /** Ends the flow. */
  void stop() {
    stopped = true;
    AutoCloseable open = receiving;
    if (open != null) {
      try {
        open.close();
      } catch (Exception e) {
        // The channel is closed nevertheless.
      }
    }
  }
}
