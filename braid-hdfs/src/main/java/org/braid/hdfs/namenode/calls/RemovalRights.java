package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshotAccessControlException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;

/**
 * Checks the permission for removals, so that a caller whom HDFS would refuse causes no waits and
 * no copies. Refuses with HDFS's message at once. If this were left to HDFS, the owner of a
 * directory could give himself the permission in between, and remove blocks that were not checked.
 */
record RemovalRights(NameNodeHost host) implements RemovalCheck.Rights {
  @Override
  public boolean mayPermit(Removal removal, String top) throws IOException {
    return permits(removal, top, false);
  }

  @Override
  public boolean permit(Removal removal, String top) throws IOException {
    return permits(removal, top, true);
  }

  private boolean permits(Removal removal, String top, boolean below) throws IOException {
    try {
      if (removal.kind() == Removal.Kind.SNAPSHOT) {
        return owns(top);
      }
      CallerRights caller = CallerRights.of(host);
      return host.readingFiles(
          "braidRemoval",
          () -> {
            check(caller, removal, top, below);
            return true;
          });
    } catch (SnapshotAccessControlException | FileNotFoundException | InvalidPathException e) {
      return false; // and never will
    }
  }

  private boolean owns(String directory) throws IOException {
    UserGroupInformation user = NameNode.getRemoteUser();
    HdfsFileStatus status = host.calls().getFileInfo(directory);
    return host.isSuperuser(user)
        || (status != null && status.getOwner().equals(user.getShortUserName()));
  }

  /** Refuses a caller as HDFS does. The lock is held. */
  private static void check(CallerRights caller, Removal removal, String top, boolean below)
      throws IOException {
    if (removal.kind() == Removal.Kind.REPLACED) {
      caller.checkReplacement(removal.path(), removal.other());
      return;
    }
    // What the call names first, as HDFS does, which tells of nothing else; then what is looked at
    // where that is another path, as in a snapshot.
    for (String path : new LinkedHashSet<>(List.of(removal.path(), top))) {
      switch (removal.kind()) {
        case CONTENT, TAIL -> caller.check(path, FsAction.WRITE);
        default -> {
          if (below) {
            caller.checkDeletion(path);
          } else {
            caller.checkMove(path);
          }
        }
      }
    }
  }
}
