package org.braid.hdfs.namenode;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's audit log of a test's NameNode, at which something happens once when HDFS has done
 * something at a path, or has refused it: what others do between that and what follows from it.
 */
public final class SwappingAudit implements AuditLogger {
  /**
   * What is to happen when a command was carried out or refused.
   *
   * @param command as HDFS names it in the audit log
   */
  record Swap(String command, String path, Runnable action) {
    private boolean isDue(String done, @Nullable String at) {
      return command.equals(done) && path.equals(at);
    }
  }

  /** Happens when a command was carried out. */
  static final AtomicReference<@Nullable Swap> DONE = new AtomicReference<>();

  /** Happens when a user was refused a command. */
  static final AtomicReference<@Nullable Swap> REFUSED = new AtomicReference<>();

  /** Called by the NameNode. */
  public SwappingAudit() {}

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
    AtomicReference<@Nullable Swap> which = succeeded ? DONE : REFUSED;
    Swap next = which.get();
    if (next != null && next.isDue(cmd, src) && which.compareAndSet(next, null)) {
      next.action.run();
    }
  }
}
