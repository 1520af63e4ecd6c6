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
 * What HDFS permits the caller of the present call, asked under the lock under which it is used: a
 * path may lead to another file a moment later.
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

  /** Those of the present caller, whose groups may have to be looked up: no lock is held. */
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
   * What a path leads to, if the caller may do something with it. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
   */
  public INodesInPath check(String path, FsAction access) throws IOException {
    // Nobody may write to what a snapshot has.
    boolean writes = access.implies(FsAction.WRITE);
    INodesInPath found = found(path, writes ? FSDirectory.DirOp.WRITE : FSDirectory.DirOp.READ);
    check(found, null, null, access, null);
    return found;
  }

  /**
   * What a path leads to, if the caller may read it: of files that are marked so, HDFS lets no
   * superuser read the content. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
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
   * Whether a file, which may be in snapshots only, is marked as one that superusers are not to
   * read, and the caller is a superuser. HDFS lets nobody take the mark away. A lock is held.
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
   * Refuses whom HDFS does not let list a directory, or learn of a file. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
   */
  public void checkListing(String path) throws IOException {
    INodesInPath found = found(path, FSDirectory.DirOp.READ);
    if (found.getLastINode().isDirectory()) {
      check(found, null, null, FsAction.READ_EXECUTE, null);
    }
  }

  /**
   * Refuses whom HDFS does not let take away what a path leads to. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
   */
  public void checkMove(String path) throws IOException {
    INodesInPath found = resolved(path, FSDirectory.DirOp.WRITE_LINK);
    check(found, null, FsAction.WRITE, null, null);
  }

  /**
   * Refuses whom HDFS does not let put what one path leads to in the place of what another one
   * does. The sticky bit counts where it comes from, and not where it goes to. There may be nothing
   * yet where it comes from. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
   */
  public void checkReplacement(String path, String source) throws IOException {
    INodesInPath from = resolved(source, FSDirectory.DirOp.WRITE_LINK);
    INodesInPath to = resolved(path, FSDirectory.DirOp.CREATE_LINK);
    check(from, null, FsAction.WRITE, null, null);
    check(to, FsAction.WRITE, null, null, null);
  }

  /**
   * Refuses whom HDFS does not let delete what a path leads to, with all below it. A lock is held.
   *
   * @throws AccessControlException as HDFS refuses it
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
