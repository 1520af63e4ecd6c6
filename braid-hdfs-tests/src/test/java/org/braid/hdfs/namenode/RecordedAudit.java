package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/** HDFS's audit log of a test's NameNode, as a logger that its configuration names. */
public final class RecordedAudit implements AuditLogger {
  private record Entry(
      boolean allowed,
      String user,
      @Nullable InetAddress address,
      String command,
      @Nullable String path,
      @Nullable String other) {}

  private static final List<Entry> ENTRIES = new CopyOnWriteArrayList<>();

  /** Called by the NameNode. */
  public RecordedAudit() {}

  /** Forgets all calls. */
  public static void clear() {
    ENTRIES.clear();
  }

  static void assertAllowed(
      String user, String command, @Nullable String path, @Nullable String other) {
    assertTrue(
        ENTRIES.stream()
            .anyMatch(
                e ->
                    e.allowed
                        && is(e, user, command)
                        && Objects.equals(e.path, path)
                        && Objects.equals(e.other, other)),
        () -> "allowed " + user + " " + command + " " + path + " in " + ENTRIES);
  }

  /** Asserts that a user was refused a command. */
  public static void assertRefused(String user, String command) {
    assertTrue(
        ENTRIES.stream().anyMatch(e -> !e.allowed && is(e, user, command)),
        () -> "refused " + user + " " + command + " in " + ENTRIES);
  }

  /** Asserts that a user made no call of a name. */
  static void assertNone(String user, String command) {
    assertTrue(
        ENTRIES.stream().noneMatch(e -> is(e, user, command)),
        () -> "no " + user + " " + command + " in " + ENTRIES);
  }

  private static boolean is(Entry entry, String user, String command) {
    return entry.user.startsWith(user + " ")
        && entry.address != null
        && entry.command.startsWith(command);
  }

  @Override
  public void initialize(Configuration conf) {}

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      @Nullable InetAddress addr,
      String cmd,
      @Nullable String src,
      @Nullable String dst,
      @Nullable FileStatus stat) {
    ENTRIES.add(new Entry(succeeded, userName, addr, cmd, src, dst));
  }
}
