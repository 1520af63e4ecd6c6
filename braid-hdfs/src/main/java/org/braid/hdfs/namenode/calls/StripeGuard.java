package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.namenode.files.EarSetting;
import org.braid.hdfs.namenode.files.EnabledCodes;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;

/**
 * What stock tools may not do to stripes, or ask for in attributes, in sentences that say what to
 * do instead.
 */
public final class StripeGuard {
  private static final String RAW = "/.reserved/raw";

  private final NameNodeHost host;
  private final StripeIndex index;
  private final EnabledCodes enabled;

  public StripeGuard(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.enabled = EnabledCodes.of(host.conf());
  }

  /** Why an attribute may not be set; empty when Braid has nothing against it. */
  public Optional<String> againstAttribute(XAttr attribute) {
    String name = XAttrHelper.getPrefixedName(attribute);
    if (!name.equals(BraidPaths.EAR_XATTR)) {
      return Optional.empty();
    }
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

  /** Why a path may not be deleted or renamed; empty when Braid has nothing against it. */
  public Optional<String> againstRemoval(String path) throws IOException {
    if (!mayBeParity(path)) {
      return Optional.empty();
    }
    String full =
        host.reading(
            "braidRemoval",
            () -> {
              INode inode = host.inode(path);
              return inode == null ? path : inode.getFullPathName();
            });
    String parity = plain(full);
    if (!isParity(parity) || !mayRemove(parity)) {
      return Optional.empty();
    }
    index.ensure();
    // A file there that describes no stripe may go.
    long stripes = index.countBelow(parity);
    return stripes == 0
        ? Optional.empty()
        : Optional.of(
            "%s stays: it holds the parity of converted files (%d stripes), whose blocks have one copy; run braid restore on the files first"
                .formatted(path, stripes));
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

  /** Takes notice of what was renamed to a path. */
  public void renamed(String path) throws IOException {
    if (path.startsWith(BraidPaths.ROOT)) {
      index.renamed(plain(path));
    }
  }

  private static String plain(String path) {
    String name = path.startsWith(RAW + "/") ? path.substring(RAW.length()) : path;
    return name.length() > 1 && name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }

  /** Cheap, for the many paths that are something else. */
  private static boolean mayBeParity(String path) {
    return path.startsWith(BraidPaths.ROOT) || path.startsWith("/.reserved/");
  }

  private static boolean isParity(String path) {
    return path.equals(BraidPaths.ROOT)
        || path.equals(BraidPaths.STRIPES)
        || path.startsWith(BraidPaths.STRIPES + "/");
  }

  /**
   * Why {@code fsck} may not delete or move files below a path: HDFS takes blocks without a copy
   * for lost, although their stripes can give them back.
   */
  public Optional<String> againstFsck(String path) throws IOException {
    index.ensure();
    if (index.size() > 0 && !host.blocks().isPopulatingReplQueues()) {
      return Optional.of(
          "Braid refuses to delete or move files while the NameNode does not know all replicas yet:"
              + " leave safe mode first");
    }
    AtomicInteger encoded = new AtomicInteger();
    index.visit(
        "braidFsck",
        "",
        entry -> {
          encoded.addAndGet(missingBelow(path, entry));
          return true;
        });
    return encoded.get() == 0
        ? Optional.empty()
        : Optional.of(
            "Braid refuses to delete or move files below %s: %d blocks without a copy are in stripes; run braid repair, then fsck again"
                .formatted(path, encoded.get()));
  }

  private int missingBelow(String path, Entry entry) throws IOException {
    int found = 0;
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent()
          && host.blocks().countNodes(held.get().block()).liveReplicas() == 0
          && isBelow(held.get().file(), path)) {
        found++;
      }
    }
    return found;
  }

  private static boolean isBelow(INodeFile file, String path) {
    String top = plain(path);
    String full = file.getFullPathName();
    return top.equals("/") || full.equals(top) || full.startsWith(top + "/");
  }
}
