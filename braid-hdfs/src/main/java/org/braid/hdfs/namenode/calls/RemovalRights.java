package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;

/** Who may remove what: those whom HDFS would refuse make nobody wait and have nothing copied. */
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
      switch (removal.kind()) {
        case TREE, FILE -> {
          CallerRights caller = CallerRights.of(host);
          host.reading(
              "braidRemoval",
              () -> {
                // What is looked at, and what the call names, which may be in a snapshot.
                for (String path : List.of(top, removal.path())) {
                  if (below) {
                    caller.checkDeletion(path);
                  } else {
                    caller.checkMove(path);
                  }
                }
                return true;
              });
        }
        case REPLACED -> {
          CallerRights caller = CallerRights.of(host);
          host.reading(
              "braidRemoval",
              () -> {
                caller.checkReplacement(removal.path(), removal.other());
                return true;
              });
        }
        case CONTENT, TAIL -> {
          CallerRights caller = CallerRights.of(host);
          host.reading(
              "braidRemoval",
              () -> {
                caller.check(top, FsAction.WRITE);
                return caller.check(removal.path(), FsAction.WRITE);
              });
        }
        case SNAPSHOT -> {
          UserGroupInformation user = NameNode.getRemoteUser();
          HdfsFileStatus status = host.calls().getFileInfo(top);
          return host.isSuperuser(user)
              || (status != null && status.getOwner().equals(user.getShortUserName()));
        }
      }
      return true;
    } catch (AccessControlException | FileNotFoundException | InvalidPathException e) {
      return false;
    }
  }
}
