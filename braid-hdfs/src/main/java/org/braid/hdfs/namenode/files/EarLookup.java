package org.braid.hdfs.namenode.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.setting.EarSetting;

/**
 * Finds the {@link EarSetting} of a file: that of the nearest directory above it that has one, else
 * the default.
 */
public final class EarLookup {
  private EarLookup() {}

  /**
   * An open file with its setting.
   *
   * @param file the file
   * @param text the setting of the nearest directory
   * @param directory path of that directory
   * @param directoryId inode of that directory
   */
  public record Found(INodeFile file, String text, String directory, long directoryId) {}

  /** Looks up the setting of a file; empty when it has none. */
  public static Optional<Found> of(NameNodeHost host, String path) throws IOException {
    return host.readingFiles(
        "braidEar",
        () -> {
          INodesInPath resolved = host.namesystem().getFSDirectory().unprotectedResolvePath(path);
          INode last = resolved.getLastINode();
          if (last == null || !last.isFile()) {
            return Optional.empty();
          }
          for (int i = resolved.length() - 2; i >= 0; i--) {
            INode directory = resolved.getINode(i);
            XAttr attribute =
                directory == null
                    ? null
                    : XAttrStorage.readINodeXAttrByPrefixedName(
                        directory, Snapshot.CURRENT_STATE_ID, BraidPaths.EAR_XATTR);
            if (attribute != null) {
              byte[] value = attribute.getValue() == null ? new byte[0] : attribute.getValue();
              return Optional.of(
                  new Found(
                      last.asFile(),
                      new String(value, StandardCharsets.UTF_8),
                      directory.getFullPathName(),
                      directory.getId()));
            }
          }
          String text = host.conf().getTrimmed(EarSetting.DEFAULT_KEY, "");
          INode root = resolved.getINode(0);
          return text.isEmpty() || root == null || path.startsWith(BraidPaths.ROOT + "/")
              ? Optional.empty()
              : Optional.of(new Found(last.asFile(), text, "/", root.getId()));
        });
  }
}
