package org.braid.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What systemd would hear at its socket. */
@EnabledOnOs(OS.LINUX)
final class SystemdNotifierTest {
  private static final int DONT_WAIT = 0x40;
  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong(17);

  /** A socket as systemd has one. */
  private static final class Socket implements AutoCloseable {
    static {
      Native.register("c");
    }

    private final int descriptor = socket(1, 2, 0);

    Socket(String name) {
      byte[] path = name.getBytes(StandardCharsets.UTF_8);
      byte[] address = new byte[2 + path.length];
      address[java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? 0 : 1] = 1;
      System.arraycopy(path, 0, address, 2, path.length);
      address[2] = name.startsWith("@") ? 0 : address[2];
      assertEquals(0, bind(descriptor, address, address.length), name);
    }

    private static native int socket(int domain, int type, int protocol);

    private static native int bind(int socket, byte[] address, int length);

    private static native long recv(int socket, byte[] buffer, long length, int flags);

    private static native int close(int socket);

    /** What came last; empty when nothing did. */
    String heard() {
      byte[] buffer = new byte[100];
      long length = recv(descriptor, buffer, buffer.length, DONT_WAIT);
      return new String(Arrays.copyOf(buffer, (int) Math.max(0, length)), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      close(descriptor);
    }
  }

  private SystemdNotifier notifier(Map<String, String> environment) {
    return new SystemdNotifier(environment, now::get);
  }

  @Test
  void saysThatItIsReadyAliveAndStopping() {
    for (String name : List.of(directory.resolve("s").toString(), "@braid-" + System.nanoTime())) {
      try (Socket systemd = new Socket(name)) {
        SystemdNotifier notifier =
            notifier(Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", "8000000"));
        notifier.ready();
        assertEquals("READY=1", systemd.heard());
        notifier.alive();
        assertEquals("WATCHDOG=1", systemd.heard());
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1999));
        notifier.alive();
        assertEquals("", systemd.heard());
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        notifier.alive();
        notifier.alive();
        assertEquals("WATCHDOG=1", systemd.heard());
        assertEquals("", systemd.heard());
        notifier.stopping();
        assertEquals("STOPPING=1", systemd.heard());
      }
    }
  }

  @Test
  void withoutAWatchdogItIsNotSaidToBeAlive() {
    String name = directory.resolve("s").toString();
    try (Socket systemd = new Socket(name)) {
      notifier(Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", "never")).alive();
      assertEquals("", systemd.heard());
    }
  }

  /** As where /tmp is mounted noexec: else systemd would take the service for one that hangs. */
  @Test
  void whereLibcCannotBeCalledAProgramTellsSystemd() throws Exception {
    Path heard = directory.resolve("heard");
    String script = "echo \"$NOTIFY_SOCKET $0\" >> " + heard;
    AtomicLong tried = new AtomicLong();
    SystemdNotifier notifier =
        new SystemdNotifier(
            Map.of("NOTIFY_SOCKET", "/run/s", "WATCHDOG_USEC", "8000000"),
            now::get,
            (socket, message) -> {
              tried.incrementAndGet();
              throw new UnsatisfiedLinkError("failed to map segment");
            },
            List.of("sh", "-c", script));
    notifier.ready();
    notifier.alive();
    notifier.stopping();
    assertEquals(
        List.of("/run/s READY=1", "/run/s WATCHDOG=1", "/run/s STOPPING=1"),
        Files.readAllLines(heard));
    assertEquals(1, tried.get(), "what cannot be loaded is not tried again");
  }

  @Test
  void aProgramThatFailsOrIsNotThereIsNoFailure() {
    for (List<String> program : List.of(List.of("sh", "-c", "exit 3"), List.of("braid-no-such"))) {
      new SystemdNotifier(
              Map.of("NOTIFY_SOCKET", "/run/s"),
              now::get,
              (socket, message) -> {
                throw new NoClassDefFoundError("com/sun/jna/Native");
              },
              program)
          .ready();
    }
  }

  @Test
  void nobodyWhoListensIsNoFailure() {
    notifier(Map.of()).ready();
    notifier(Map.of("NOTIFY_SOCKET", directory.resolve("none").toString())).ready();
    notifier(Map.of("NOTIFY_SOCKET", "relative")).ready();
    notifier(Map.of("NOTIFY_SOCKET", "/" + "a".repeat(200))).ready();
  }
}
