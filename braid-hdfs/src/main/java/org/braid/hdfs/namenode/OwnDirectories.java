package org.braid.hdfs.namenode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeAttribute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Braid's own directories, which belong to the superuser and are closed to all others. */
final class OwnDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDirectories.class);

  private OwnDirectories() {}

  /**
   * Creates the missing directories. Takes over directories that another user created: their owner
   * could open, rename and delete parity. Sets policies aside that a user without superuser rights
   * wrote, so that no coordinator runs them. Serves one caller at a time, because several commands
   * may be the first.
   *
   * @throws IOException when a directory's path is a file
   */
  static synchronized void make(NameNodeHost host) throws IOException {
    host.asOwner(
        () -> {
          // Nobody has described a stripe before, so that no earlier release has to read any.
          boolean first = host.calls().getFileInfo(BraidPaths.STRIPES) == null;
          make(host, BraidPaths.ROOT);
          // Before there is a place for stripes: where this is broken off, the next one is first.
          if (first && !hasFormat(host)) {
            byte[] latest = String.valueOf(StripeAttribute.LATEST).getBytes(StandardCharsets.UTF_8);
            host.calls()
                .setXAttr(
                    BraidPaths.ROOT,
                    XAttrHelper.buildXAttr(BraidPaths.FORMAT_XATTR, latest),
                    EnumSet.of(XAttrSetFlag.CREATE));
          }
          make(host, BraidPaths.STAGING);
          make(host, BraidPaths.STRIPES);
          return true;
        });
  }

  /** Whether a superuser, or this class, has named the version of stripes. */
  private static boolean hasFormat(NameNodeHost host) throws IOException {
    return host.calls().getXAttrs(BraidPaths.ROOT, null).stream()
        .anyMatch(found -> XAttrHelper.getPrefixedName(found).equals(BraidPaths.FORMAT_XATTR));
  }

  private static void setPoliciesAside(NameNodeHost host, String maker) throws IOException {
    if (host.isSuperuser(UserGroupInformation.createRemoteUser(maker))
        || hasFormat(host)
        || host.calls().getFileInfo(BraidPaths.POLICIES) == null) {
      return;
    }
    String aside = BraidPaths.POLICIES + "-set-aside-" + UUID.randomUUID();
    host.calls().rename2(BraidPaths.POLICIES, aside, Options.Rename.NONE);
    LOG.warn(
        "{} of user {}, who is no superuser, is {} from now on", BraidPaths.POLICIES, maker, aside);
  }

  private static void make(NameNodeHost host, String path) throws IOException {
    HdfsFileStatus found = host.calls().getFileInfo(path);
    if (found == null) {
      host.calls().mkdirs(path, BraidPaths.RIGHTS, true);
      return;
    }
    if (!found.isDirectory()) {
      throw new IOException(
          "%s is a file of user %s, and Braid needs a directory there: move it away"
              .formatted(path, found.getOwner()));
    }
    String owner = host.owner().getShortUserName();
    if (!found.getOwner().equals(owner)) {
      LOG.warn(
          "{} was made by user {}: it belongs to {} from now on, and nobody else may open it",
          path,
          found.getOwner(),
          owner);
      host.calls().setOwner(path, owner, null);
      if (path.equals(BraidPaths.ROOT)) {
        setPoliciesAside(host, found.getOwner());
      }
    }
    if (!found.getPermission().equals(BraidPaths.RIGHTS)) {
      host.calls().setPermission(path, BraidPaths.RIGHTS);
    }
  }
}
