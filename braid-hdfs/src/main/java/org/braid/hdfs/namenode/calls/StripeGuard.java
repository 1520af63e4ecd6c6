package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.namenode.files.EnabledCodes;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.setting.EarSetting;

/**
 * Refuses operations of stock tools that would harm stripes, and attributes that Braid cannot
 * honour; each refusal says what to do instead.
 */
public final class StripeGuard {

  private final NameNodeHost host;
  private final StripeIndex index;
  private final EnabledCodes enabled;

  public StripeGuard(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.enabled = EnabledCodes.of(host.conf());
  }

  /**
   * The reason against setting an attribute at a path; empty when there is none. Braid's own
   * descriptions of stripes are written within the NameNode, where this guard is not called.
   */
  public Optional<IOException> againstAttribute(String path, XAttr attribute) throws IOException {
    String name = XAttrHelper.getPrefixedName(attribute);
    if (name.equals(BraidPaths.STRIPE_XATTR)) {
      return againstRemoval(path).map(AccessControlException::new);
    }
    return name.equals(BraidPaths.EAR_XATTR)
        ? againstReplication(name, attribute).map(IOException::new)
        : Optional.empty();
  }

  private Optional<String> againstReplication(String name, XAttr attribute) {
    byte[] value = attribute.getValue() == null ? new byte[0] : attribute.getValue();
    String text = new String(value, StandardCharsets.UTF_8);
    try {
      enabled.check(EarSetting.code(text));
      EarSetting unused = EarSetting.parse(text);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(name + ": " + e.getMessage());
    }
  }

  /** The reason against deleting or renaming a path; empty when there is none. */
  public Optional<String> againstRemoval(String path) throws IOException {
    long stripes = stripesBelow(path);
    return stripes == 0
        ? Optional.empty()
        : Optional.of(
            "%s stays: it holds the parity of converted files (%d stripes), whose blocks have one copy; run braid restore on the files first"
                .formatted(path, stripes));
  }

  /**
   * The reason against more replicas of the file at a path; empty when there is none. Each parity
   * block has exactly one node.
   */
  public Optional<String> againstReplicas(String path, int replication) throws IOException {
    return replication == 1 || stripesBelow(path) == 0
        ? Optional.empty()
        : Optional.of(
            "%s keeps its replication: it is parity of converted files; braid convert --parity-copies makes copies of parity"
                .formatted(path));
  }

  /** How many stripes the parity files at and below a path describe; 0 for those who may not. */
  private long stripesBelow(String path) throws IOException {
    if (!mayBeParity(path)) {
      return 0;
    }
    // One that is not active knows the stripes of a while ago: clients turn to the other one.
    host.namesystem().checkOperation(OperationCategory.WRITE);
    String full =
        host.readingFiles(
            "braidRemoval",
            () -> {
              INode inode = host.inode(path);
              return inode == null ? path : inode.getFullPathName();
            });
    String parity = RealPaths.plain(full);
    if (!isParity(parity) || !mayRemove(parity)) {
      return 0;
    }
    index.ensure();
    // A file there that describes no stripe may go.
    return index.countBelow(parity);
  }

  /** Whether the caller may change anything there; of others HDFS says so itself, and soon. */
  private boolean mayRemove(String path) throws IOException {
    return host.isSuperuser(NameNode.getRemoteUser())
        || may(new Path(path).getParent().toString())
        || may(path);
  }

  private boolean may(String path) throws IOException {
    try {
      host.calls().checkAccess(path, FsAction.WRITE);
      return true;
    } catch (AccessControlException | FileNotFoundException e) {
      return false;
    }
  }

  /** Notes a rename to a path. */
  public void renamed(String path) throws IOException {
    if (mayBeParity(path)) {
      index.renamed(RealPaths.plain(path));
    }
  }

  /** Cheap, for the many paths that are something else. */
  private static boolean mayBeParity(String path) {
    return path.startsWith(BraidPaths.ROOT)
        || path.startsWith("/.reserved")
        || (path.startsWith("//") && mayBeParity(RealPaths.plain(path)));
  }

  private static boolean isParity(String path) {
    return path.equals(BraidPaths.ROOT)
        || path.equals(BraidPaths.STRIPES)
        || path.startsWith(BraidPaths.STRIPES + "/");
  }
}
