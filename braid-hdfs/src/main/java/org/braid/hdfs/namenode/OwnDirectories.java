package org.braid.hdfs.namenode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeAttribute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Braid's own directories, which belong to the superuser and are closed to all others. */
final class OwnDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDirectories.class);
  private static final FsPermission CLOSED = new FsPermission((short) 0700);

  private OwnDirectories() {}

  /**
   * Makes them where they are missing. Directories that another user has made are taken over: who
   * owned them could have opened, renamed and deleted parity.
   *
   * @throws IOException when a file stands there
   */
  static void make(NameNodeHost host) throws IOException {
    for (String path : new String[] {BraidPaths.ROOT, BraidPaths.STAGING, BraidPaths.STRIPES}) {
      host.asOwner(
          () -> {
            make(host, path);
            return true;
          });
    }
  }

  private static void make(NameNodeHost host, String path) throws IOException {
    HdfsFileStatus found = host.calls().getFileInfo(path);
    if (found == null) {
      host.calls().mkdirs(path, CLOSED, true);
      if (path.equals(BraidPaths.ROOT)) {
        // Nobody has described a stripe before, so that no earlier release has to read any.
        byte[] latest = String.valueOf(StripeAttribute.LATEST).getBytes(StandardCharsets.UTF_8);
        host.calls()
            .setXAttr(
                path,
                XAttrHelper.buildXAttr(BraidPaths.FORMAT_XATTR, latest),
                EnumSet.of(XAttrSetFlag.CREATE));
      }
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
    }
    if (!found.getPermission().equals(CLOSED)) {
      host.calls().setPermission(path, CLOSED);
    }
  }
}
