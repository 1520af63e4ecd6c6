package org.braid.hdfs.testkit.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.PlacementView;

/** An unmodified HDFS in this process, for callers that do not use Hadoop's types. */
public final class EmbeddedHdfs implements Closeable {
  private final EmbeddedCluster cluster;

  private EmbeddedHdfs(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  /** The client that reads. */
  public enum Client {
    /** HDFS's own client, without Braid. */
    PLAIN,
    /** Braid's file system, which decodes lost blocks. */
    BRAID
  }

  /**
   * The result of a read.
   *
   * @param sha256 SHA-256 of the content, in hexadecimal
   * @param bytes number of bytes
   * @param seconds wall time
   */
  public record ReadResult(String sha256, long bytes, double seconds) {}

  /** Starts a cluster; see {@link EmbeddedSettings}. */
  public static EmbeddedHdfs start(EmbeddedSettings settings) throws IOException {
    return new EmbeddedHdfs(EmbeddedCluster.start(settings));
  }

  /** The connection for clients of the cluster. */
  public Connection connection() {
    return new Connection(Optional.of(cluster.uri()), List.of(), cluster.clientProperties());
  }

  /**
   * Creates a directory.
   *
   * @param ear the code for encoding-aware replication of the files in it; empty for HDFS's own
   *     random replication
   */
  public void makeDirectory(String path, Optional<String> ear) throws IOException {
    try (DistributedFileSystem fs = cluster.fileSystem()) {
      var directory = new org.apache.hadoop.fs.Path(path);
      fs.mkdirs(directory);
      if (ear.isPresent()) {
        fs.setXAttr(
            directory,
            org.braid.hdfs.rpc.BraidPaths.EAR_XATTR,
            ear.get().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
    }
  }

  /** Writes a local file with HDFS's own client and returns the SHA-256 of the content. */
  public String write(Path local, String path, int replication) throws IOException {
    MessageDigest digest = sha256();
    try (DistributedFileSystem fs = cluster.fileSystem();
        InputStream in = Files.newInputStream(local);
        OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), (short) replication)) {
      in.transferTo(new DigestOutputStream(out, digest));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Reads a whole file. */
  public ReadResult read(String path, Client client) throws IOException {
    long start = System.nanoTime();
    MessageDigest digest = sha256();
    Configuration conf = cluster.configuration();
    if (client == Client.BRAID) {
      conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    }
    long bytes;
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      bytes = in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    return new ReadResult(
        HexFormat.of().formatHex(digest.digest()), bytes, (System.nanoTime() - start) / 1e9);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The host and port of the NameNode's web server. */
  public String webAddress() {
    return cluster.webAddress();
  }

  /** Stops a DataNode at once. Its files stay. */
  public void stopNode(int index) {
    cluster.stopNode(index);
  }

  /** Starts a stopped DataNode; it keeps its files. */
  public void startNode(int index) throws IOException {
    cluster.startNode(index);
    cluster.awaitNodes();
  }

  /** Has the NameNode call a stopped DataNode dead. */
  public void awaitDead(int index) throws IOException {
    cluster.awaitDead(index);
  }

  public boolean runs(int index) {
    return cluster.runs(index);
  }

  /** The name of a node, as {@link PlacementView.Node#name} gives it. */
  public String nodeName(int index) {
    return cluster.nodeName(index);
  }

  public int nodes() {
    return cluster.nodes();
  }

  /** The cluster, for callers that use Hadoop's types. */
  public EmbeddedCluster cluster() {
    return cluster;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
