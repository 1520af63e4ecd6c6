package org.braid.hdfs.namenode.page;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.CallerContexts;
import org.braid.hdfs.setting.StockClient;

/**
 * Keeps the policies that hold. Which file has them the namespace says; what is in it DataNodes
 * have, so that it is read by a client of this NameNode, once after each change, on the thread of
 * whoever calls {@link #look}, and never on one that answers somebody.
 */
final class PolicyReader {
  /** A larger file is not shown. */
  static final long LARGEST = 1 << 20;

  /** Files that no change wrote, of which at most so many are looked past. */
  private static final int MOST_OTHERS = 100;

  private static final int TIMEOUT_MILLIS = 5000;

  /** The caller's context of what it reads. */
  private static final String CALLER = "braid_page";

  /** Where policies are. */
  interface Source {
    /** The file that holds; empty when there never was any. */
    Optional<Found> newest() throws IOException;

    /** What is in it. */
    String read(Found file) throws IOException;
  }

  /** A file with a change. */
  record Found(String name, long length) {}

  /**
   * What is known.
   *
   * @param file whose content this is; empty: there is none
   * @param problem why it is not known what holds; empty when it is
   */
  record Known(Optional<Found> file, PolicyDocument document, String problem) {}

  private final Source source;
  private volatile Optional<Known> known = Optional.empty();

  PolicyReader(Source source) {
    this.source = source;
  }

  /** What is known; empty before the first look. */
  Optional<Known> known() {
    return known;
  }

  /** This NameNode cannot read it any more. */
  void forget() {
    known = Optional.empty();
  }

  /** Looks whether something was changed, and reads it. */
  void look() {
    Optional<Known> before = known;
    try {
      Optional<Found> file = source.newest();
      if (before.isPresent() && before.get().problem.isEmpty() && before.get().file.equals(file)) {
        return;
      }
      known = Optional.of(new Known(file, file.isEmpty() ? PolicyDocument.NONE : read(file), ""));
    } catch (IOException | RuntimeException e) {
      known =
          Optional.of(
              new Known(
                  Optional.empty(),
                  PolicyDocument.NONE,
                  "the policies cannot be read: " + e.getMessage()));
    }
  }

  private PolicyDocument read(Optional<Found> file) throws IOException {
    Found found = file.orElseThrow();
    if (found.length > LARGEST) {
      throw new IOException(
          "%s has %d bytes, at most %d are read".formatted(found.name, found.length, LARGEST));
    }
    // HDFS's audit log tells these calls from those of users.
    return PolicyJson.read(CallerContexts.renamed(CALLER, () -> source.read(found)));
  }

  /** Those of a NameNode. */
  static PolicyReader of(NameNodeHost host) {
    return new PolicyReader(
        new Source() {
          @Override
          public Optional<Found> newest() throws IOException {
            return host.readingFiles("braidPage", () -> newestOf(host));
          }

          @Override
          public String read(Found file) throws IOException {
            return host.asOwner(() -> contentOf(host, file));
          }
        });
  }

  private static Optional<Found> newestOf(NameNodeHost host) throws IOException {
    INode directory = host.inode(BraidPaths.POLICIES);
    if (directory == null || !directory.isDirectory()) {
      return Optional.empty();
    }
    // In the order of their names.
    ReadOnlyList<INode> files = directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
    int last = files.size() - 1;
    for (int i = last; i >= Math.max(0, last - MOST_OTHERS); i--) {
      INode file = files.get(i);
      if (file.isFile() && file.getLocalName().matches("[0-9]{8}\\.json")) {
        return Optional.of(new Found(file.getLocalName(), file.asFile().computeFileSize()));
      }
    }
    return Optional.empty();
  }

  private static String contentOf(NameNodeHost host, Found file) throws IOException {
    Configuration conf = new Configuration(host.conf());
    StockClient.configure(conf);
    conf.setInt("ipc.client.connect.max.retries", 1);
    conf.setInt("ipc.client.rpc-timeout.ms", TIMEOUT_MILLIS);
    conf.setInt("dfs.client.socket-timeout", TIMEOUT_MILLIS);
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    InetSocketAddress address = host.nameNode().getNameNodeAddress();
    URI uri = URI.create("hdfs://" + address.getHostString() + ":" + address.getPort());
    try (FileSystem files = FileSystem.newInstance(uri, conf);
        FSDataInputStream in = files.open(new Path(BraidPaths.POLICIES, file.name))) {
      return new String(in.readNBytes((int) LARGEST), StandardCharsets.UTF_8);
    }
  }
}
