package org.braid.cli.command;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies systemd of the state of a service like {@code sd_notify(3)}: sends a datagram to the
 * socket that the environment names. Java has no datagrams on Unix sockets, so that it calls libc
 * through JNA. If JNA cannot load its native library, for example because /tmp is mounted noexec,
 * it runs the program {@code systemd-notify}, which the unit's {@code NotifyAccess=all} allows.
 * Without a socket it does nothing.
 */
public final class SystemdNotifier {
  /** The calls on libc; only Linux has systemd. */
  @SuppressWarnings("checkstyle:MethodName")
  private static final class Libc {
    static final int AF_UNIX = 1;
    static final int DATAGRAM_CLOSE_ON_EXEC = 2 | 0x80000;

    static {
      Native.register("c");
    }

    static native int socket(int domain, int type, int protocol);

    static native long sendto(
        int socket, byte[] message, long length, int flags, byte[] address, int addressLength);

    static native int close(int socket);
  }

  /** Datagrams to a socket of systemd's. */
  @FunctionalInterface
  interface Datagrams {
    /**
     * Sends a datagram.
     *
     * @throws LinkageError when libc cannot be called
     */
    void send(String socket, String message);
  }

  private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);
  private static final int MOST_PATH = 107;
  private static final List<String> PROGRAM = List.of("systemd-notify");

  /** So long it waits for systemd, which takes the message meanwhile. */
  private static final long PROGRAM_SECONDS = 10;

  /** Times that it says that the service is alive while systemd would wait for one. */
  private static final int OFTEN = 4;

  private final String socket;
  private final long aliveNanos;
  private final LongSupplier nanoTime;
  private final AtomicLong next;
  private final Datagrams datagrams;
  private final List<String> program;
  private volatile boolean withoutLibc;

  SystemdNotifier(Map<String, String> environment, LongSupplier nanoTime) {
    this(environment, nanoTime, SystemdNotifier::sendByLibc, PROGRAM);
  }

  /**
   * Creates a notifier with another fallback.
   *
   * @param program the command line, without its last word, the message, to run when libc cannot be
   *     called
   */
  SystemdNotifier(
      Map<String, String> environment,
      LongSupplier nanoTime,
      Datagrams datagrams,
      List<String> program) {
    this.datagrams = datagrams;
    this.program = List.copyOf(program);
    socket = environment.getOrDefault("NOTIFY_SOCKET", "");
    String micros = environment.getOrDefault("WATCHDOG_USEC", "");
    aliveNanos =
        micros.matches("[1-9][0-9]{0,14}")
            ? TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros)) / OFTEN
            : 0;
    this.nanoTime = nanoTime;
    next = new AtomicLong(nanoTime.getAsLong());
  }

  /** The one of this process. */
  public static SystemdNotifier ofEnvironment() {
    return new SystemdNotifier(System.getenv(), System::nanoTime);
  }

  /** The service works. */
  public void ready() {
    send("READY=1");
  }

  /** Notifies systemd that the service is stopping. */
  public void stopping() {
    send("STOPPING=1");
  }

  /** The service is alive, which is told as often as systemd wants to hear it. */
  public void alive() {
    long now = nanoTime.getAsLong();
    long due = next.get();
    if (aliveNanos > 0 && now - due >= 0 && next.compareAndSet(due, now + aliveNanos)) {
      send("WATCHDOG=1");
    }
  }

  private void send(String message) {
    if (socket.isEmpty()) {
      return;
    }
    try {
      if (!withoutLibc) {
        datagrams.send(socket, message);
        return;
      }
    } catch (LinkageError e) {
      withoutLibc = true;
      LOG.info("{} tells systemd how it is, as libc cannot be called: {}", program, e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("systemd is not told {}: {}", message, e.getMessage());
      return;
    }
    try {
      sendByProgram(message);
    } catch (IOException e) {
      LOG.warn("systemd is not told {}: {}", message, e.getMessage());
    }
  }

  private void sendByProgram(String message) throws IOException {
    List<String> line = new ArrayList<>(program);
    line.add(message);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("NOTIFY_SOCKET", socket);
    Process process = builder.start();
    boolean ended = false;
    try {
      ended = process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
      throw new IOException(program + " does not end");
    }
    if (process.exitValue() != 0) {
      throw new IOException(program + " ends with status " + process.exitValue());
    }
  }

  private static void sendByLibc(String socket, String message) {
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    if (path.length > MOST_PATH || (path[0] != '/' && path[0] != '@')) {
      throw new IllegalStateException("NOTIFY_SOCKET " + socket + " is no socket's name");
    }
    byte[] address = new byte[2 + path.length + (path[0] == '/' ? 1 : 0)];
    address[java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? 0 : 1] =
        Libc.AF_UNIX;
    System.arraycopy(path, 0, address, 2, path.length);
    if (path[0] == '@') {
      address[2] = 0; // an abstract name
    }
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    int open = Libc.socket(Libc.AF_UNIX, Libc.DATAGRAM_CLOSE_ON_EXEC, 0);
    long sent = Libc.sendto(open, bytes, bytes.length, 0, address, address.length);
    Libc.close(open);
    if (sent != bytes.length) {
      throw new IllegalStateException("it takes no datagram");
    }
  }
}
