package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.testing.FileTrees;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;
import org.jspecify.annotations.Nullable;

/**
 * A small cluster as security guides ask for: Kerberos, RPC with privacy, encrypted data transfer,
 * block tokens, service authorization, and pages over HTTPS with SPNEGO.
 */
final class SecureCluster {
  static final int BLOCK = 64 << 10;
  static final int SLICE = 8 << 10;
  static final String CODE = "rs-3-2";

  /** A service that may act for other users. */
  static final String PROXY = "scheduler";

  private static final int RACKS = 3;
  private static final int NODES = 7;
  private static @Nullable SecureCluster running;
  private static @Nullable Realm present;

  final Realm realm;
  final EmbeddedCluster hdfs;

  /** Operates the cluster: a member of the supergroup, not the user of the daemons. */
  final UserGroupInformation operator;

  private final Map<String, byte[]> contents = new HashMap<>();

  /** What somebody does. */
  interface Action {
    void run() throws Exception;
  }

  /** What somebody asks. */
  interface Question<T> {
    T ask() throws Exception;
  }

  private SecureCluster(Realm realm, EmbeddedCluster hdfs, UserGroupInformation operator) {
    this.realm = realm;
    this.hdfs = hdfs;
    this.operator = operator;
  }

  /** The cluster that all tests of this JVM share; it ends with the JVM. */
  static synchronized SecureCluster shared() throws Exception {
    SecureCluster cluster = running;
    if (cluster == null) {
      cluster = start("hdfs", 1, Map.of());
      running = cluster;
    }
    return cluster;
  }

  /** A cluster of its own with an active and a standby NameNode. */
  static SecureCluster pair() throws Exception {
    return start("pair", 2, Map.of());
  }

  /**
   * A cluster of its own that clients may reach through a router, which knows no encryption keys.
   */
  static SecureCluster behindRouter() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("dfs.encrypt.data.transfer", "false");
    properties.put("hadoop.proxyuser." + RouterProcess.USER + ".hosts", "*");
    properties.put("hadoop.proxyuser." + RouterProcess.USER + ".users", "*");
    return start("routed", 1, properties);
  }

  private static synchronized Realm realm() throws Exception {
    Realm realm = present;
    if (realm == null) {
      fresh(directory(""));
      KeyStores.make(trust());
      realm = Realm.start(directory("kdc"));
      present = realm;
    }
    return realm;
  }

  /** A directory of this JVM, which has a realm of its own. */
  static Path directory(String name) {
    String fork = System.getProperty("braid.test.fork", "");
    return Path.of("target", "secure" + fork, name).toAbsolutePath();
  }

  /** The directory with {@code ssl-client.xml}, for class paths. */
  static Path trust() {
    return directory("ssl");
  }

  /** Makes a directory that is empty. */
  static Path fresh(Path directory) throws IOException {
    if (Files.exists(directory)) {
      FileTrees.delete(directory);
    }
    return Files.createDirectories(directory);
  }

  private static SecureCluster start(String name, int nameNodes, Map<String, String> properties)
      throws Exception {
    Realm realm = realm();
    Map<String, String> all = properties(realm);
    all.putAll(properties);
    Configuration conf = new Configuration();
    all.forEach(conf::set);
    UserGroupInformation.setConfiguration(conf);
    Path directory = directory(name);
    EmbeddedCluster hdfs =
        EmbeddedCluster.start(
            new EmbeddedSettings(1, RACKS, NODES, BLOCK, directory, all, nameNodes));
    SecureCluster cluster = new SecureCluster(realm, hdfs, realm.user("ops"));
    as(
        cluster.operator,
        () -> {
          try (DistributedFileSystem fs = hdfs.fileSystem()) {
            fs.setPermission(new org.apache.hadoop.fs.Path("/"), new FsPermission((short) 0777));
          }
        });
    return cluster;
  }

  private static Map<String, String> properties(Realm realm) throws Exception {
    String daemon = "hdfs/" + Realm.HOST;
    String web = "HTTP/" + Realm.HOST;
    String keytab = realm.keytab("daemons.keytab", daemon, web).toString();
    Map<String, String> all = new HashMap<>();
    all.put("hadoop.security.authentication", "kerberos");
    all.put("hadoop.security.authorization", "true");
    all.put("hadoop.rpc.protection", "privacy");
    all.put("hadoop.user.group.static.mapping.overrides", "ops=supergroup;");
    all.put("hadoop.kerberos.min.seconds.before.relogin", "1");
    all.put("hadoop.proxyuser." + PROXY + ".hosts", "*");
    all.put("hadoop.proxyuser." + PROXY + ".users", "alice");
    all.put("dfs.block.access.token.enable", "true");
    all.put("dfs.data.transfer.protection", "privacy");
    all.put("dfs.encrypt.data.transfer", "true");
    all.put("hadoop.rpc.socket.factory.class.default", Wire.class.getName());
    all.put("dfs.http.policy", "HTTPS_ONLY");
    all.put("dfs.namenode.https-address", Realm.HOST + ":0");
    all.put("dfs.datanode.https.address", Realm.HOST + ":0");
    all.put("dfs.namenode.delegation.token.always-use", "true");
    for (String role : List.of("namenode", "datanode")) {
      all.put("dfs." + role + ".kerberos.principal", realm.principal(daemon));
      all.put("dfs." + role + ".keytab.file", keytab);
    }
    all.put("dfs.web.authentication.kerberos.principal", realm.principal(web));
    all.put("dfs.web.authentication.kerberos.keytab", keytab);
    all.put("hadoop.http.authentication.type", "kerberos");
    all.put("hadoop.http.authentication.kerberos.principal", realm.principal(web));
    all.put("hadoop.http.authentication.kerberos.keytab", keytab);
    return all;
  }

  /** Does something as a user. */
  static void as(UserGroupInformation user, Action action) throws Exception {
    ask(
        user,
        () -> {
          action.run();
          return true;
        });
  }

  /** Asks something as a user. */
  static <T> T ask(UserGroupInformation user, Question<T> question) throws Exception {
    try {
      return user.doAs((PrivilegedExceptionAction<T>) question::ask);
    } catch (UndeclaredThrowableException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  Connection connection() {
    return new Connection(Optional.of(hdfs.uri()), List.of(), clientProperties());
  }

  private Map<String, String> clientProperties() {
    Map<String, String> all = new HashMap<>(hdfs.clientProperties());
    for (Map.Entry<String, String> entry : hdfs.configuration()) {
      String name = entry.getKey();
      if (name.startsWith("hadoop.security")
          || name.startsWith("hadoop.kerberos")
          || name.startsWith("hadoop.rpc")
          || name.endsWith(".kerberos.principal")
          || name.startsWith("hadoop.proxyuser")
          || name.startsWith("dfs.http.policy")
          || name.startsWith("dfs.encrypt")
          || name.startsWith("dfs.data.transfer")) {
        all.put(name, entry.getValue());
      }
    }
    all.put("dfs.namenode.https-address", webAddress());
    return all;
  }

  /** A file of the properties of clients, for processes of their own. */
  Path clientFile(String name, Map<String, String> properties) throws IOException {
    Configuration conf = new Configuration(false);
    clientProperties().forEach(conf::set);
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, hdfs.uri());
    // Connections are made anew, and their users prove anew who they are.
    conf.set("ipc.client.connection.maxidletime", "300");
    properties.forEach(conf::set);
    Path file = Path.of("target", name + "-site.xml").toAbsolutePath();
    try (var out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
    return file;
  }

  /** The host and port of the NameNode's pages. */
  String webAddress() {
    return Realm.HOST + ":" + hdfs.nameNode().getHttpsAddress().getPort();
  }

  /** Asks for a page, and follows no redirection: embedded DataNodes have no names in a DNS. */
  HttpURLConnection get(String page, boolean authenticated) throws Exception {
    URLConnectionFactory web =
        URLConnectionFactory.newDefaultURLConnectionFactory(60_000, 60_000, hdfs.configuration());
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              web.openConnection(
                  URI.create("https://" + webAddress() + page).toURL(), authenticated);
      connection.setInstanceFollowRedirects(false);
      connection.getResponseCode();
      return connection;
    } finally {
      web.destroy();
    }
  }

  /** Braid as the present user. */
  Cluster braid() throws IOException {
    return Braid.connect(connection());
  }

  /** HDFS's own client as the present user. */
  DistributedFileSystem plain() throws IOException {
    return hdfs.fileSystem();
  }

  /** Braid's file system as the present user. */
  FileSystem degraded() throws IOException {
    Configuration conf = hdfs.configuration();
    conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /** Writes a file of random bytes as the present user, in a directory of its own. */
  void write(String path, int bytes, Random random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    write(path, content);
  }

  void write(String path, byte[] content) throws IOException {
    try (DistributedFileSystem fs = plain()) {
      var file = new org.apache.hadoop.fs.Path(path);
      fs.mkdirs(file.getParent());
      fs.setXAttr(file.getParent(), BraidPaths.EAR_XATTR, CODE.getBytes(StandardCharsets.UTF_8));
      try (FSDataOutputStream out = fs.create(file, (short) 3)) {
        out.write(content);
      }
    }
    contents.put(path, content);
  }

  /** Lets nobody but the owner read a file, as its owner. */
  void restrict(String path) throws IOException {
    try (DistributedFileSystem fs = plain()) {
      fs.setPermission(new org.apache.hadoop.fs.Path(path), new FsPermission((short) 0600));
    }
  }

  /** Has a user write a file of three blocks that nobody else may read, and converts it. */
  void convertSecret(UserGroupInformation user, String path, Random random) throws Exception {
    as(
        user,
        () -> {
          write(path, 3 * BLOCK, random);
          restrict(path);
        });
    convert(path);
  }

  /** Converts as the operator, and expects nothing to be left out. */
  void convert(String path) throws Exception {
    as(
        operator,
        () -> {
          try (Cluster braid = braid()) {
            assertEquals(List.of(), braid.convert(request(path)).skipped());
          }
        });
  }

  static ConvertRequest request(String path) {
    return new ConvertRequest(
        List.of(path),
        CODE,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        1,
        ConvertRequest.Method.DEFAULT,
        2,
        SLICE,
        7,
        Progress.SILENT);
  }

  /** Asserts that a file system reads what was written. */
  void assertReads(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      assertArrayEquals(contents.get(path), in.readAllBytes(), path);
    }
  }

  /** Rebuilds all that is lost, as the operator. */
  RepairReport repair() throws Exception {
    return ask(
        operator,
        () -> {
          try (Cluster braid = braid()) {
            return braid.repair(new RepairRequest("/", "chain", 2, SLICE, 3, Progress.SILENT));
          }
        });
  }

  /** Starts all nodes that are stopped, and waits until each is trusted again. */
  void heal() throws Exception {
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (!hdfs.runs(i)) {
        hdfs.startNode(i);
      }
    }
    hdfs.awaitNodes();
    await("all nodes to be trusted", nodes -> nodes.allMatch(n -> n.live() && !n.suspect()));
  }

  /** Waits until the NameNode suspects a stopped node. */
  void awaitSuspect(int node) throws Exception {
    String uuid = hdfs.uuid(node);
    await(
        "node " + node + " to be suspect",
        nodes -> nodes.anyMatch(n -> n.uuid().equals(uuid) && n.suspect()));
  }

  private void await(String what, Predicate<Stream<Datanode>> right) throws Exception {
    as(
        operator,
        () -> {
          try (NameNodeCalls calls =
              new NameNodeCalls(new NameNodeLink(URI.create(hdfs.uri()), hdfs.configuration()))) {
            Await.until(
                what,
                () -> right.test(calls.cluster().getDatanodesList().stream().map(StatusCodec::of)));
          }
        });
  }

  /** The node with the only replica of the first block of a converted file. */
  int nodeOf(String path) throws Exception {
    return ask(
        operator,
        () -> {
          try (DistributedFileSystem fs = plain()) {
            var file = new org.apache.hadoop.fs.Path(path);
            String[] hosts =
                Await.until(
                    "one replica of the first block of " + path,
                    () -> fs.getFileBlockLocations(file, 0, 1)[0].getHosts(),
                    found -> found.length == 1);
            return IntStream.range(0, hdfs.nodes())
                .filter(node -> hdfs.nodeName(node).equals(hosts[0]))
                .findFirst()
                .orElseThrow();
          }
        });
  }
}
