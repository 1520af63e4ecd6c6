package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.clients.probe.Probe;
import org.braid.clients.probe.ProbeContent;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS's gateways for HTTP and for NFS, as they are shipped, before a cluster with Braid. Behind
 * HttpFS the client can be Braid's, the one for NFS has its own.
 */
@EnabledIfSystemProperty(named = "braid.clients", matches = "all|gateways")
final class GatewaysTest {
  private static final String FILES = "/gateways";
  private static final String FILE = FILES + "/" + Probe.BYTES;
  private static final int LENGTH = 40 * (64 << 10) + 777;
  private static final long SEED = Seeds.random(GatewaysTest.class).nextInt(1 << 20);
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path directory;

  @Test
  void gatewaysServeConvertedFilesLikeOthers() throws Exception {
    byte[] content = ProbeContent.bytes(SEED, LENGTH);
    try (Program hdfs =
        MatrixServer.start(
            System.getProperty("java.class.path"),
            directory.resolve("hdfs"),
            TARGET.resolve("gateways-server.err"))) {
      String uri = hdfs.answer();
      hdfs.tell("write " + FILES + " " + SEED + " " + LENGTH + " 30000");
      try (HttpFs stock = new HttpFs("stock", uri, List.of());
          HttpFs braid = new HttpFs("braid", uri, Probe.BRAID);
          Nfs nfs = new Nfs(uri)) {
        String sum = stock.checksum();
        hdfs.tell("convert " + FILES);
        hdfs.tell("settle " + FILES);
        for (HttpFs http : List.of(stock, braid)) {
          http.assertServes(content);
          assertEquals(sum, http.checksum());
        }
        assertArrayEquals(content, nfs.read());

        hdfs.tell("lose " + FILES);
        braid.assertServes(content);
        assertEquals(sum, braid.checksum());
        byte[] begun = stock.read(); // and no word of the rest
        assertTrue(begun.length < content.length, "the node is there");
        assertArrayEquals(Arrays.copyOf(content, begun.length), begun);
        assertThrows(IOException.class, nfs::read);

        hdfs.tell("watch");
        assertArrayEquals(content, nfs.read());
        stock.assertServes(content);
        assertEquals(sum, stock.checksum());
      }
    }
    for (String gateway : List.of("stock", "braid", "nfs")) {
      assertEquals(0, Program.frames(complaints(gateway)), gateway);
    }
  }

  private static Path complaints(String gateway) {
    return TARGET.resolve("gateway-" + gateway + ".err");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void write(Path file, List<String> properties) throws IOException {
    String lines =
        properties.stream()
            .map(line -> line.split("=", 2))
            .map("<property><name>%s</name><value>%s</value></property>\n"::formatted)
            .collect(Collectors.joining());
    Files.writeString(file, "<configuration>\n" + lines + "</configuration>\n");
  }

  private static List<String> core(String uri, List<String> more) {
    String user = System.getProperty("user.name");
    return Stream.of(
            List.of(
                "fs.defaultFS=" + uri,
                "hadoop.proxyuser." + user + ".hosts=127.0.0.1",
                "hadoop.proxyuser." + user + ".users=*",
                "dfs.client.retry.window.base=30"),
            more)
        .flatMap(List::stream)
        .toList();
  }

  /** Starts a gateway whose configuration is in a directory. */
  private Program start(
      String name, Path conf, boolean braid, List<String> properties, String... command)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("-Xmx512m"));
    properties.forEach(property -> options.add("-D" + property));
    options.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    Path gateways = Path.of("../gateways/target/gateways").toAbsolutePath().normalize();
    List<String> classPath = new ArrayList<>(List.of(conf.toString()));
    if (braid) {
      classPath.add(ClassPaths.braid("SNAPSHOT.jar"));
    }
    classPath.add(ClassPaths.jars(gateways));
    return new Program(
        Program.home(),
        options,
        String.join(File.pathSeparator, classPath),
        complaints(name),
        List.of(command));
  }

  /** HttpFS. */
  private final class HttpFs implements AutoCloseable {
    private final int port = freePort();
    private final Program program;

    HttpFs(String name, String uri, List<String> client) throws IOException {
      Path place = Files.createDirectories(directory.resolve("httpfs-" + name));
      for (String part : List.of("conf", "log", "temp")) {
        Files.createDirectories(place.resolve(part));
      }
      Path conf = place.resolve("conf");
      write(conf.resolve("core-site.xml"), core(uri, client));
      write(
          conf.resolve("httpfs-site.xml"),
          List.of(
              "httpfs.http.port=" + port,
              "httpfs.http.hostname=127.0.0.1",
              "httpfs.proxyuser.none.hosts="));
      Files.writeString(conf.resolve("httpfs-signature.secret"), "not a secret");
      program =
          start(
              name,
              conf,
              !client.isEmpty(),
              List.of(
                  "httpfs.home.dir=" + place,
                  "httpfs.config.dir=" + conf,
                  "httpfs.log.dir=" + place.resolve("log"),
                  "httpfs.temp.dir=" + place.resolve("temp")),
              "org.apache.hadoop.fs.http.server.HttpFSServerWebServer");
      Await.until("HttpFS to listen", () -> listens(port));
    }

    private byte[] get(String operation) throws IOException, InterruptedException {
      URI address =
          URI.create(
              "http://127.0.0.1:%d/webhdfs/v1%s?user.name=%s&op=%s"
                  .formatted(port, FILE, System.getProperty("user.name"), operation));
      HttpResponse<byte[]> answer =
          HTTP.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new IOException(operation + ": " + answer.statusCode());
      }
      return answer.body();
    }

    byte[] read() throws IOException, InterruptedException {
      return get("OPEN");
    }

    String checksum() throws IOException, InterruptedException {
      String answer = new String(get("GETFILECHECKSUM"), StandardCharsets.UTF_8);
      assertTrue(answer.contains("MD5-of"), answer);
      return answer;
    }

    void assertServes(byte[] content) throws IOException, InterruptedException {
      assertArrayEquals(content, read());
      int from = LENGTH / 3;
      int length = LENGTH / 2;
      assertArrayEquals(
          Arrays.copyOfRange(content, from, from + length),
          get("OPEN&offset=" + from + "&length=" + length));
    }

    @Override
    public void close() {
      program.close();
    }
  }

  /** The gateway for NFS. */
  private final class Nfs implements AutoCloseable {
    private final int mountPort = freePort();
    private final int port = freePort();
    private final Program program;

    Nfs(String uri) throws IOException {
      Path place = Files.createDirectories(directory.resolve("nfs"));
      write(place.resolve("core-site.xml"), core(uri, List.of()));
      write(
          place.resolve("hdfs-site.xml"),
          List.of(
              "nfs.dump.dir=" + place.resolve("dump"),
              "nfs3.server.port=" + port,
              "nfs3.mountd.port=" + mountPort,
              "nfs.http.address=127.0.0.1:0"));
      program = start("nfs", place, false, List.of(), "org.braid.clients.gateways.NfsGateway");
      program.answer();
    }

    byte[] read() throws IOException {
      try (NfsReader reader = new NfsReader(mountPort, port)) {
        return reader.read(FILE);
      }
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
