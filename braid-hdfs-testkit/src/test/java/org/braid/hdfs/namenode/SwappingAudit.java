package org.braid.hdfs.namenode;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's audit log of a test's NameNode, at which something happens once when a path has been
 * looked at: what others do between a look and what follows from it.
 */
public final class SwappingAudit implements AuditLogger {
  /**
   * What is to happen.
   *
   * @param path when it has been looked at by {@code checkAccess}, or when something was refused
   */
  record Swap(String path, Runnable action) {}

  static final AtomicReference<@Nullable Swap> NEXT = new AtomicReference<>();

  /** The same when a user is refused something. */
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
    Swap next = NEXT.get();
    if (next != null
        && succeeded
        && cmd.equals("checkAccess")
        && next.path.equals(src)
        && NEXT.compareAndSet(next, null)) {
      next.action.run();
    }
    Swap refused = REFUSED.get();
    if (refused != null
        && !succeeded
        && refused.path.equals(src)
        && REFUSED.compareAndSet(refused, null)) {
      refused.action.run();
    }
  }
}
