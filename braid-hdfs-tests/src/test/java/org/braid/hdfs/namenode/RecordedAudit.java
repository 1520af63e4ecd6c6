package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's audit log of a test's NameNode, as a logger that its configuration names. Of each call it
 * must be told what it would take the tracking id of a delegation token from.
 */
public final class RecordedAudit extends HdfsAuditLogger {
  private record Entry(
      boolean allowed,
      String user,
      @Nullable InetAddress address,
      String command,
      @Nullable String path,
      @Nullable String other,
      boolean traced,
      String context) {}

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
                        && e.traced
                        && is(e, user, command)
                        && Objects.equals(e.path, path)
                        && Objects.equals(e.other, other)),
        () -> "allowed " + user + " " + command + " " + path + " in " + ENTRIES);
  }

  /** Asserts that a user was refused a command. */
  public static void assertRefused(String user, String command) {
    assertTrue(
        ENTRIES.stream().anyMatch(e -> !e.allowed && e.traced && is(e, user, command)),
        () -> "refused " + user + " " + command + " in " + ENTRIES);
  }

  /** Asserts that calls of a user are logged with the port that they came from. */
  static void assertPort(String user, String command) {
    assertTrue(
        ENTRIES.stream()
            .filter(e -> is(e, user, command))
            .allMatch(e -> e.context.matches(".*\\bclientPort:[1-9].*")),
        () -> "ports of " + user + " " + command + " in " + ENTRIES);
  }

  /** Asserts that there are calls of a name below a path, all of them in a caller's context. */
  public static void assertContext(String command, String below, String context) {
    List<Entry> calls =
        ENTRIES.stream()
            .filter(e -> e.command.equals(command) && String.valueOf(e.path).startsWith(below))
            .toList();
    assertTrue(
        !calls.isEmpty() && calls.stream().allMatch(e -> e.context.contains(context)),
        () -> "the context " + context + " of " + command + " below " + below + " in " + calls);
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
      @Nullable FileStatus stat,
      @Nullable CallerContext context,
      @Nullable UserGroupInformation user,
      @Nullable DelegationTokenSecretManager tokens) {
    boolean traced = user != null && tokens != null;
    String said = context == null ? "" : String.valueOf(context.getContext());
    ENTRIES.add(new Entry(succeeded, userName, addr, cmd, src, dst, traced, said));
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      @Nullable InetAddress addr,
      String cmd,
      @Nullable String src,
      @Nullable String dst,
      @Nullable FileStatus stat,
      @Nullable UserGroupInformation user,
      @Nullable DelegationTokenSecretManager tokens) {
    logAuditEvent(succeeded, userName, addr, cmd, src, dst, stat, null, user, tokens);
  }
}
