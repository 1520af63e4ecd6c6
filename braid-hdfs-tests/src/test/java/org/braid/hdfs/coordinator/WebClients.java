package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Reads a cluster's files by WebHDFS, and appends to them. */
final class WebClients {
  private static final int ATTEMPTS = 5;

  private final ClusterFixture fixture;
  private final InetSocketAddress web;

  WebClients(ClusterFixture fixture) {
    this.fixture = fixture;
    this.web = fixture.hdfs.nameNode().getHttpAddress();
  }

  /** A file, as a DataNode answers to a plain request. */
  byte[] get(String path) throws IOException {
    return get(path, "OPEN");
  }

  /** The checksum of a file, in the words of a DataNode. */
  String checksum(String path) throws IOException {
    return new String(get(path, "GETFILECHECKSUM"), StandardCharsets.UTF_8);
  }

  private byte[] get(String path, String operation) throws IOException {
    HttpURLConnection data = redirected("GET", path, operation, System.getProperty("user.name"));
    try (InputStream in = data.getInputStream()) {
      return in.readAllBytes();
    } finally {
      data.disconnect();
    }
  }

  /** Appends to a file in a user's name. */
  void append(String path, byte[] more, String user) throws IOException {
    HttpURLConnection data = redirected("POST", path, "APPEND", user);
    data.setDoOutput(true);
    data.setFixedLengthStreamingMode(more.length);
    try {
      try (OutputStream out = data.getOutputStream()) {
        out.write(more);
      }
      if (data.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new IOException("a DataNode answers " + data.getResponseCode());
      }
    } finally {
      data.disconnect();
    }
  }

  /**
   * The same where the NameNode has it wait for a block. An attempt may be in vain that has waited
   * for as long as it may, as on a machine that stands still: whoever appends tries again.
   */
  void appendWaiting(String path, byte[] more, String user, long mostMillis) throws IOException {
    for (int left = ATTEMPTS; ; left--) {
      long since = System.nanoTime();
      try {
        append(path, more, user);
        return;
      } catch (IOException e) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
        if (left == 1 || millis < mostMillis) {
          throw new IOException("in vain after " + millis + " ms", e);
        }
      }
    }
  }

  /** The address that the NameNode names to who wants no redirection to it. */
  URI named(String path, String operation) throws IOException {
    HttpURLConnection connection =
        open(address(path, operation, System.getProperty("user.name")) + "&noredirect=true");
    try (InputStream in = connection.getInputStream()) {
      return URI.create(new ObjectMapper().readTree(in).get("Location").asText());
    } finally {
      connection.disconnect();
    }
  }

  private String address(String path, String operation, String user) {
    return "http://127.0.0.1:%d/webhdfs/v1%s?op=%s&user.name=%s"
        .formatted(web.getPort(), path, operation, user);
  }

  /** A request to the DataNode that the NameNode names. */
  private HttpURLConnection redirected(String method, String path, String operation, String user)
      throws IOException {
    HttpURLConnection connection = open(address(path, operation, user));
    connection.setRequestMethod(method);
    if (connection.getResponseCode() != HttpURLConnection.HTTP_MOVED_TEMP
        && connection.getResponseCode() != 307) {
      throw new IOException("answer " + connection.getResponseCode());
    }
    // The names of the cluster's nodes are known to nobody else.
    URI there = URI.create(connection.getHeaderField("Location"));
    connection.disconnect();
    HttpURLConnection data =
        open(
            "http://127.0.0.1:" + there.getPort() + there.getRawPath() + "?" + there.getRawQuery());
    data.setRequestMethod(method);
    return data;
  }

  private static HttpURLConnection open(String address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
    connection.setInstanceFollowRedirects(false);
    return connection;
  }

  /** Reads by WebHDFS's own client, in a process that knows the nodes' names. */
  byte[] client(String path, java.nio.file.Path directory) throws Exception {
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost " + hostName());
    IntStream.range(0, fixture.hdfs.nodes())
        .forEach(i -> hosts.append(' ').append(fixture.hdfs.nodeName(i)));
    hosts.append(" rack0-silent\n");
    java.nio.file.Path names = Files.writeString(directory.resolve("hosts"), hosts);
    java.nio.file.Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djdk.net.hosts.file=" + names,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Reader.class.getName(),
                "webhdfs://127.0.0.1:" + web.getPort() + path)
            .redirectOutput(out.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the shell does not end");
      assertEquals(0, process.exitValue(), Files.readString(directory.resolve("err")));
      return Files.readAllBytes(out);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that reads a file to its standard output. */
  static final class Reader {
    private Reader() {}

    /** Reads the file of an address. */
    public static void main(String[] args) throws IOException {
      URI uri = URI.create(args[0]);
      try (FileSystem fs = FileSystem.newInstance(uri, new Configuration())) {
        System.out.write(ClusterFixture.read(fs, uri.getPath()));
        System.out.flush();
      }
    }
  }

  private static String hostName() throws IOException {
    return java.net.InetAddress.getLocalHost().getHostName();
  }
}
