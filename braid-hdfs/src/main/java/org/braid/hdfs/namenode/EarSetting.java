package org.braid.hdfs.namenode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.rpc.BraidPaths;

/**
 * Encoding-aware replication as a directory asks for it: {@code CODE} or {@code CODE,c=N}.
 *
 * @param code the code that files are to be encoded with
 * @param perRack most blocks of a stripe a rack; empty for the fewest that fit the cluster
 */
record EarSetting(ErasureCode code, OptionalInt perRack) {
  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9.-]+)(?:\\s*,\\s*c=([1-9]\\d{0,8}))?");

  /**
   * Reads a setting.
   *
   * @throws IllegalArgumentException when it is none, naming its form
   */
  static EarSetting parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not of the form CODE or CODE,c=N, such as rs-10-4,c=1");
    }
    return new EarSetting(
        Codes.named(matcher.group(1)),
        matcher.group(2) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(matcher.group(2))));
  }

  /** An open file below a directory that has a setting, with the text of the nearest one. */
  record Found(INodeFile file, String text) {}

  /** Looks up the setting of a file; empty when it has none. */
  static Optional<Found> of(NameNodeHost host, String path) throws IOException {
    return host.reading(
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
                  new Found(last.asFile(), new String(value, StandardCharsets.UTF_8)));
            }
          }
          return Optional.empty();
        });
  }
}
