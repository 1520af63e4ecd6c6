package org.braid.hdfs.namenode.files;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.AclStorage;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;

/**
 * Computes a text that is equal for files with the same readers. It contains the permissions of the
 * file and of its directories where they are stricter than access for all users, and the encryption
 * zone that holds the keys. Blocks in a zone are encoded as they are stored, encrypted.
 */
public final class Readers {
  private Readers() {}

  /** The text for the readers of a file; called under the lock. */
  public static String of(NameNodeHost host, INodeFile file) {
    // Directories with the same demands need be named once.
    Set<String> demands = new LinkedHashSet<>();
    boolean checked =
        host.conf()
            .getBoolean(
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    if (checked) {
      add(demands, file, FsAction.READ);
      for (INodeDirectory above = file.getParent(); above != null; above = above.getParent()) {
        add(demands, above, FsAction.EXECUTE);
      }
    }
    for (INodeDirectory above = file.getParent(); above != null; above = above.getParent()) {
      if (isZone(above)) {
        demands.add("zone " + above.getId() + ';');
        break;
      }
    }
    return String.join("", demands);
  }

  /** Whether a directory is the root of an encryption zone; called under the lock. */
  static boolean isZone(INodeDirectory directory) {
    return XAttrStorage.readINodeXAttrByPrefixedName(
            directory, Snapshot.CURRENT_STATE_ID, HdfsServerConstants.CRYPTO_XATTR_ENCRYPTION_ZONE)
        != null;
  }

  /**
   * Adds the permissions of an inode if they do not allow everybody the needed access; called under
   * the lock.
   */
  static void add(Set<String> demands, INode inode, FsAction needed) {
    FsPermission mode = inode.getFsPermission();
    boolean user = mode.getUserAction().implies(needed);
    boolean group = mode.getGroupAction().implies(needed);
    boolean other = mode.getOtherAction().implies(needed);
    if (user && group && other && inode.getAclFeature() == null) {
      return;
    }
    demands.add(
        "%s:%s:%s%s%s%s;"
            .formatted(
                inode.getUserName(),
                inode.getGroupName(),
                user ? "u" : "",
                group ? "g" : "",
                other ? "o" : "",
                inode.getAclFeature() == null
                    ? ""
                    : AclStorage.readINodeAcl(inode, Snapshot.CURRENT_STATE_ID)));
  }
}
