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
 * Keeps the current policies. The namespace names their file, but DataNodes hold its content. So a
 * client of this NameNode reads it, once after each change, on the thread that calls {@link #look},
 * never on a thread that answers a request.
 */
final class PolicyReader {
  /** Maximum size of a policy file that is shown. */
  static final long LARGEST = 1 << 20;

  /** Files that no change wrote, of which at most so many are looked past. */
  private static final int MOST_OTHERS = 100;

  private static final int TIMEOUT_MILLIS = 5000;

  /** The caller's context of what it reads. */
  private static final String CALLER = "braid_page";

  /** The policy files. */
  interface Source {
    /** The current policy file; empty when there was never one. */
    Optional<Found> newest() throws IOException;

    /** Reads the content of a file. */
    String read(Found file) throws IOException;
  }

  /** A policy file. */
  record Found(String name, long length) {}

  /**
   * The known policies.
   *
   * @param file the file with this content; empty when there is none
   * @param problem why the current policies are unknown; empty when they are known
   */
  record Known(Optional<Found> file, PolicyDocument document, String problem) {}

  private final Source source;
  private volatile Optional<Known> known = Optional.empty();

  PolicyReader(Source source) {
    this.source = source;
  }

  /** The known policies; empty before the first look. */
  Optional<Known> known() {
    return known;
  }

  /** Forgets the policies: this NameNode can no longer read them. */
  void forget() {
    known = Optional.empty();
  }

  /** Checks whether the policies have changed, and reads the new ones. */
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

  /** The policy reader of a NameNode. */
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
