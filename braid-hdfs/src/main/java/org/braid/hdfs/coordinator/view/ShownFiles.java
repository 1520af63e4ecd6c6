package org.braid.hdfs.coordinator.view;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * Lists the files below a path page by page: all of them for a superuser, the readable ones for
 * other users.
 */
final class ShownFiles {
  private final NameNodeCalls nameNode;
  private final DistributedFileSystem files;

  ShownFiles(NameNodeCalls nameNode, DistributedFileSystem files) {
    this.nameNode = nameNode;
    this.files = files;
  }

  /** Hears of files and of the stripes of their blocks. */
  interface Pages {
    void add(List<StoredFile> page, StripeMap stripes);
  }

  /**
   * Shows the files at or below a path.
   *
   * @return files and directories that are not shown, as {@link ReadableFiles#hidden} counts them;
   *     null for a superuser, who sees all
   * @throws AccessControlException when the path itself may not be read, or when the path is the
   *     root and the user is no superuser
   */
  @Nullable Integer show(String path, Pages pages) throws IOException {
    try {
      nameNode.files(path, page -> pages.add(page, StripeMap.of(nameNode, page)));
      return null;
    } catch (AccessControlException e) {
      if (path.equals("/")) {
        throw rootless(e);
      }
    }
    ReadableFiles readable = new ReadableFiles(files, nameNode::stripesOf);
    readable.visit(path, (file, stripes) -> pages.add(List.of(file), stripes));
    return readable.hidden();
  }

  /** The refusal of an ordinary user's request for the whole cluster. */
  static AccessControlException rootless(AccessControlException refused) {
    return new AccessControlException(
        refused.getMessage() + "; name a path that you may read, as in /user/you");
  }
}
