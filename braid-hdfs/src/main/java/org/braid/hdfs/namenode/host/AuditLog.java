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

/** HDFS's own audit log, in which Braid's calls stand beside HDFS's. */
public final class AuditLog {
  /** What the names of Braid's commands begin with. */
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

  /** Logs what the present call's user was allowed to do, and did. */
  public void allowed(String command, @Nullable String path) throws IOException {
    log(true, command, path, null);
  }

  /**
   * The same.
   *
   * @param stripes ids of the stripes concerned
   */
  public void allowed(String command, @Nullable String path, String stripes) throws IOException {
    log(true, command, path, stripes);
  }

  /** Logs what the present call's user was refused. */
  public void refused(String command, @Nullable String path) throws IOException {
    log(false, command, path, null);
  }

  /**
   * The same for a user who came over HTTP. HDFS would take the port from the present call, of
   * which there is none, and leave it to what else this thread does.
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
