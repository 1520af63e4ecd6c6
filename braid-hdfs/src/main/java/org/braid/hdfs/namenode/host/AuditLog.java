package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** HDFS's own audit log, in which Braid's calls stand beside HDFS's. */
public final class AuditLog {
  /** What the names of Braid's commands begin with. */
  public static final String PREFIX = "braid.";

  private final FSNamesystem namesystem;

  public AuditLog(FSNamesystem namesystem) {
    this.namesystem = namesystem;
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

  /** The same for a user who came over HTTP. */
  public void refused(UserGroupInformation user, InetAddress address, String command, String path) {
    log(user, address, false, command, path, null);
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
    for (AuditLogger logger : namesystem.getAuditLoggers()) {
      if (logger instanceof HdfsAuditLogger hdfs) {
        hdfs.logAuditEvent(
            allowed,
            user.toString(),
            address,
            command,
            path,
            stripes,
            null,
            CallerContext.getCurrent(),
            user,
            null);
      } else {
        logger.logAuditEvent(allowed, user.toString(), address, command, path, stripes, null);
      }
    }
  }
}
