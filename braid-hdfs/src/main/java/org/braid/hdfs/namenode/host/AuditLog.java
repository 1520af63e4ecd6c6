package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Writes Braid's calls to HDFS's own audit log. */
public final class AuditLog {
  /** Prefix of the names of Braid's commands in the audit log. */
  public static final String PREFIX = "braid.";

  /**
   * Writes a line as HDFS does of its own calls, with what its configuration asks for: the tracking
   * id of a delegation token, the client's port.
   */
  private static final MethodHandle WRITE =
      HadoopInternals.hidden(
          FSNamesystem.class.getName(),
          "logAuditEvent",
          boolean.class,
          UserGroupInformation.class,
          InetAddress.class,
          String.class,
          String.class,
          String.class,
          FileStatus.class);

  private static final @Nullable FileStatus NO_STATUS = null;

  private final FSNamesystem namesystem;
  private final boolean withPort;

  public AuditLog(NameNodeHost host) {
    this.namesystem = host.namesystem();
    this.withPort =
        host.conf()
            .getBoolean(
                DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_WITH_REMOTE_PORT_KEY,
                DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_WITH_REMOTE_PORT_DEFAULT);
  }

  /** Logs a call that the present caller was allowed to make. */
  public void allowed(String command, @Nullable String path) throws IOException {
    log(true, command, path, null);
  }

  /**
   * Logs an allowed call that concerns stripes.
   *
   * @param stripes ids of the stripes concerned
   */
  public void allowed(String command, @Nullable String path, String stripes) throws IOException {
    log(true, command, path, stripes);
  }

  /** Logs a call that the present caller was refused. */
  public void refused(String command, @Nullable String path) throws IOException {
    log(false, command, path, null);
  }

  /**
   * Logs a refused call of a user who came over HTTP. There is no present RPC call with a port, so
   * this method passes the port to HDFS in the thread's caller context, which it restores
   * afterwards.
   */
  public void refused(
      UserGroupInformation user, InetSocketAddress from, String command, String path) {
    CallerContext before = CallerContext.getCurrent();
    if (withPort) {
      String port = CallerContext.CLIENT_PORT_STR + ":" + from.getPort();
      CallerContext.setCurrent(new CallerContext.Builder(port).build());
    }
    try {
      log(user, from.getAddress(), false, command, path, null);
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  private void log(boolean allowed, String command, @Nullable String path, @Nullable String stripes)
      throws IOException {
    log(NameNode.getRemoteUser(), Server.getRemoteIp(), allowed, command, path, stripes);
  }

  private void log(
      UserGroupInformation user,
      @Nullable InetAddress address,
      boolean allowed,
      String command,
      @Nullable String path,
      @Nullable String stripes) {
    try {
      WRITE.invoke(namesystem, allowed, user, address, command, path, stripes, NO_STATUS);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the audit log cannot be written", e);
    }
  }
}
