package org.braid.hdfs.namenode.host;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSPermissionChecker;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Checks what HDFS permits the present caller. The check and the use of its result happen under the
 * same lock: a moment later a path may lead to another file.
 */
public final class CallerRights {
  private static final String OPERATION = "checkAccess";

  private final FSDirectory directory;
  private final FSPermissionChecker checker;
  private final boolean checked;

  private CallerRights(FSDirectory directory, FSPermissionChecker checker, boolean checked) {
    this.directory = directory;
    this.checker = checker;
    this.checked = checked;
  }

  /**
   * The rights of the present caller. Looking up the caller's groups may take long, so the caller
   * of this method holds no lock.
   */
  public static CallerRights of(NameNodeHost host) throws IOException {
    FSDirectory directory = host.namesystem().getFSDirectory();
    boolean checked =
        host.conf()
            .getBoolean(
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    return new CallerRights(directory, HadoopInternals.permissionChecker(directory), checked);
  }

  /**
   * Resolves a path and checks that the caller has the access. A lock is held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public INodesInPath check(String path, FsAction access) throws IOException {
    // Nobody may write to what a snapshot has.
    boolean writes = access.implies(FsAction.WRITE);
    INodesInPath found = found(path, writes ? FSDirectory.DirOp.WRITE : FSDirectory.DirOp.READ);
    check(found, null, null, access, null);
    return found;
  }

  /**
   * Resolves a path and checks that the caller may read the file. HDFS does not let superusers read
   * files that are marked as unreadable by superusers. A lock is held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public INodesInPath checkReading(String path) throws IOException {
    INodesInPath found = found(path, FSDirectory.DirOp.READ);
    if (checked) {
      FSPermissionChecker.setOperationType(OPERATION);
      HadoopInternals.checkUnreadable(directory, checker, found);
    }
    check(found, null, null, FsAction.READ, null);
    return found;
  }

  /**
   * Whether the caller is a superuser and the file is marked as unreadable by superusers. The file
   * may exist in snapshots only. HDFS lets nobody remove the mark. A lock is held.
   */
  public boolean isHidden(INodeFile file) {
    XAttrFeature attributes = file.getXAttrFeature();
    return checked
        && checker.isSuperUser()
        && attributes != null
        && attributes.getXAttr(HdfsServerConstants.SECURITY_XATTR_UNREADABLE_BY_SUPERUSER) != null;
  }

  private INodesInPath found(String path, FSDirectory.DirOp operation) throws IOException {
    INodesInPath found = resolved(path, operation);
    if (found.getLastINode() == null) {
      throw new FileNotFoundException("Path not found: " + found.getPath());
    }
    return found;
  }

  private INodesInPath resolved(String path, FSDirectory.DirOp operation) throws IOException {
    if (!path.startsWith(Path.SEPARATOR)) {
      throw new InvalidPathException(path);
    }
    return directory.resolvePath(checker, path, operation);
  }

  /**
   * Checks that the caller may list a directory, or see a file. A lock is held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public void checkListing(String path) throws IOException {
    INodesInPath found = found(path, FSDirectory.DirOp.READ);
    if (found.getLastINode().isDirectory()) {
      check(found, null, null, FsAction.READ_EXECUTE, null);
    }
  }

  /**
   * Checks that the caller may move a file or directory away from its path. A lock is held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public void checkMove(String path) throws IOException {
    INodesInPath found = resolved(path, FSDirectory.DirOp.WRITE_LINK);
    check(found, null, FsAction.WRITE, null, null);
  }

  /**
   * Checks that the caller may replace the file at {@code path} by the file at {@code source}. The
   * sticky bit counts for the source, not for the target. The source need not exist yet. A lock is
   * held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public void checkReplacement(String path, String source) throws IOException {
    INodesInPath from = resolved(source, FSDirectory.DirOp.WRITE_LINK);
    INodesInPath to = resolved(path, FSDirectory.DirOp.CREATE_LINK);
    check(from, null, FsAction.WRITE, null, null);
    check(to, FsAction.WRITE, null, null, null);
  }

  /**
   * Checks that the caller may delete a path with all files below it. A lock is held.
   *
   * @throws AccessControlException when HDFS refuses the access
   */
  public void checkDeletion(String path) throws IOException {
    INodesInPath found = resolved(path, FSDirectory.DirOp.WRITE_LINK);
    check(found, null, FsAction.WRITE, null, FsAction.ALL);
  }

  private void check(
      INodesInPath found,
      @Nullable FsAction ancestor,
      @Nullable FsAction parent,
      @Nullable FsAction access,
      @Nullable FsAction below)
      throws IOException {
    if (checked) {
      FSPermissionChecker.setOperationType(OPERATION);
      HadoopInternals.checkPermission(directory, checker, found, ancestor, parent, access, below);
    }
  }
}
