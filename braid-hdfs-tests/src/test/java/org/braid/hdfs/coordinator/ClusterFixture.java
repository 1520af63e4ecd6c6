package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Connections;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.hdfs.testing.FileTrees;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;

/** A small cluster with Braid and the operations that tests of the lifecycle share. */
class ClusterFixture implements AutoCloseable {
  static final int BLOCK = 8192;
  static final int SLICE = 2048;

  /** As in production, where HDFS copies nothing before all nodes have reported after a restart. */
  static final Map<String, String> PATIENT = Map.of("dfs.namenode.safemode.extension", "3000");

  EmbeddedCluster hdfs;
  DistributedFileSystem fs;

  /** What a command finds configured. Hadoop parses its defaults, which takes it long, once. */
  private Configuration command;

  /** Asked again and again by those that await something. */
  private NameNodeCalls questions;

  /** How safe the blocks of files are. */
  final FileSafety safety = new FileSafety(this);

  private int sites;
  private int racks;
  private java.nio.file.Path directory;
  private final Map<String, byte[]> contents = new HashMap<>();

  /** A fixture whose cluster is started later. */
  ClusterFixture() {}

  ClusterFixture(int racks, int nodes) throws IOException {
    this(racks, nodes, Map.of());
  }

  ClusterFixture(int racks, int nodes, Map<String, String> properties) throws IOException {
    this(1, racks, nodes, properties, 1);
  }

  ClusterFixture(int sites, int racks, int nodes, Map<String, String> properties, int nameNodes)
      throws IOException {
    open(sites, racks, nodes, properties, nameNodes);
  }

  final void open(int sites, int racks, int nodes, Map<String, String> properties, int nameNodes)
      throws IOException {
    this.sites = sites;
    this.racks = racks;
    directory = Files.createTempDirectory("braid-test");
    hdfs =
        EmbeddedCluster.start(
            new EmbeddedSettings(sites, racks, nodes, BLOCK, directory, properties, nameNodes));
    fs = hdfs.fileSystem();
    command = Connections.configuration(connection());
    questions = calls();
  }

  Connection connection() {
    return new Connection(Optional.of(hdfs.uri()), List.of(), hdfs.clientProperties());
  }

  Cluster braid() throws IOException {
    return Coordinator.connect(new HdfsConfiguration(command));
  }

  /** Switches on encoding-aware replication for what is written to a directory. */
  void ear(String path, String code) throws IOException {
    fs.mkdirs(new Path(path));
    fs.setXAttr(new Path(path), BraidPaths.EAR_XATTR, code.getBytes(StandardCharsets.UTF_8));
  }

  /** What happens to the cluster meanwhile. */
  interface Event {
    void happen() throws IOException;
  }

  /** Writes a file of random bytes and remembers them. */
  void write(String path, int bytes, int replication, Random random) throws IOException {
    write(path, bytes, replication, random, bytes, () -> {});
  }

  /**
   * The same with an event while it is written.
   *
   * @param before bytes that are written before the event
   */
  void write(String path, int bytes, int replication, Random random, int before, Event event)
      throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    try (FSDataOutputStream out = fs.create(new Path(path), (short) replication)) {
      out.write(content, 0, before);
      out.hflush();
      event.happen();
      out.write(content, before, bytes - before);
    }
    contents.put(path, content);
    awaitReplicas(path, replication);
  }

  /** The same on exact nodes. */
  void writeOn(String path, int bytes, Random random, int... nodes) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    new ExactFiles(hdfs, fs).writeOn(new Path(path), content, BLOCK, nodes);
    contents.put(path, content);
  }

  void awaitReplicas(String path, int replication) throws IOException {
    Await.until(
        replication + " replicas of " + path,
        () ->
            files(path).stream()
                .flatMap(f -> f.blocks().stream())
                .allMatch(b -> live(b) >= replication));
  }

  private static long live(BlockStatus block) {
    return block.replicas().stream().filter(r -> r.live()).count();
  }

  List<StoredFile> files(String path) throws IOException {
    return questions.files(path);
  }

  List<StripeStatus> stripes() throws IOException {
    return questions.stripes();
  }

  NameNodeCalls calls() throws IOException {
    Configuration conf = hdfs.configuration();
    return new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf));
  }

  /**
   * Asserts that HDFS's own client reads exactly what was written. It waits for a block as long as
   * the stock client does, some 18 s, and asks more often meanwhile.
   */
  void assertReads(String path) throws IOException {
    Configuration conf = hdfs.configuration();
    conf.setInt("dfs.client.retry.window.base", 300);
    conf.setInt("dfs.client.max.block.acquire.failures", 9);
    try (FileSystem plain = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      assertArrayEquals(content(path), read(plain, path), path + " reads differently");
    }
  }

  /** Asserts that Braid's client reads exactly what was written. */
  void assertReadsDegraded(String path) throws IOException {
    assertArrayEquals(content(path), readDegraded(path), path + " reads differently");
  }

  /** What Braid's client reads. */
  byte[] readDegraded(String path) throws IOException {
    Configuration conf = hdfs.configuration();
    conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    try (FileSystem braid = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      return read(braid, path);
    }
  }

  static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  byte[] content(String path) {
    byte[] content = contents.get(path);
    if (content == null) {
      throw new IllegalArgumentException(path + " was not written by this fixture");
    }
    return content;
  }

  static ConvertRequest request(String code, String... paths) {
    return request(ConvertRequest.Method.DEFAULT, code, paths);
  }

  static ConvertRequest request(ConvertRequest.Method method, String code, String... paths) {
    return request(method, code, Optional.empty(), 1, paths);
  }

  private static ConvertRequest request(
      ConvertRequest.Method method,
      String code,
      Optional<String> spread,
      int copies,
      String... paths) {
    return new ConvertRequest(
        List.of(paths),
        code,
        OptionalInt.empty(),
        OptionalInt.empty(),
        spread,
        copies,
        method,
        2,
        SLICE,
        7,
        Progress.SILENT);
  }

  ConvertReport convert(String code, String... paths) throws IOException {
    return convert(request(code, paths));
  }

  ConvertReport convert(ConvertRequest.Method method, String code, String... paths)
      throws IOException {
    return convert(request(method, code, paths));
  }

  /**
   * Converts over sites and with copies of parity.
   *
   * @param spread the policy for sites; empty for one that does not look at them
   */
  ConvertReport convert(String code, Optional<String> spread, int copies, String... paths)
      throws IOException {
    return convert(request(ConvertRequest.Method.DEFAULT, code, spread, copies, paths));
  }

  private ConvertReport convert(ConvertRequest request) throws IOException {
    try (Cluster cluster = braid()) {
      return cluster.convert(request);
    }
  }

  /** Converts and expects nothing to be left out. */
  ConvertReport convertAll(String code, String... paths) throws IOException {
    ConvertReport report = convert(code, paths);
    assertEquals(List.of(), report.skipped());
    return report;
  }

  RepairReport repair(String path, String shape) throws IOException {
    try (Cluster cluster = braid()) {
      return cluster.repair(new RepairRequest(path, shape, 2, SLICE, 11, Progress.SILENT));
    }
  }

  ScrubReport scrub(String path) throws IOException {
    try (Cluster cluster = braid()) {
      return cluster.scrub(
          new ScrubRequest(path, OptionalLong.empty(), new StopSignal(), Progress.SILENT));
    }
  }

  FsckReport fsck(String path) throws IOException {
    try (Cluster cluster = braid()) {
      return cluster.fsck(path);
    }
  }

  /** Asserts that everything below a path is as promised and nothing is left over. */
  void assertClean(String path) throws IOException {
    FsckReport report = fsck(path);
    for (FsckReport.FileState file : report.files()) {
      assertEquals(List.of(), file.findings(), file.path());
    }
    assertEquals(List.of(), report.orphans());
  }

  /** Asserts one replica of each block, and the file's replication. */
  void assertConverted(String path) throws IOException {
    assertConverted(path, block -> block.replicas().size() != 1);
  }

  /**
   * The same, and that no node that runs has another that is still to be deleted: it would take no
   * other block of the stripe. HDFS does not delete those of a block that was opened for writing
   * after it had told nodes to.
   */
  void assertConvertedOnDisks(String path) throws IOException {
    assertConverted(path, block -> block.replicas().size() != 1 || isBeingDeleted(block));
  }

  private void assertConverted(String path, Predicate<BlockStatus> wrong) throws IOException {
    for (StoredFile file : files(path)) {
      assertEquals(1, file.replication(), path);
      // After a restart surplus copies wait until homes have reported, or are given up.
      Await.until(
          "one replica of each block of " + path, () -> wrongOf(path, wrong), List.of()::equals);
    }
  }

  /**
   * What is known of those blocks of a file, or of the files below, that are not as they should.
   */
  private List<String> wrongOf(String path, Predicate<BlockStatus> wrong) throws IOException {
    return files(path).stream()
        .flatMap(file -> file.blocks().stream())
        .filter(wrong)
        .map(block -> "blk_" + block.block().id() + safety.story(block))
        .toList();
  }

  /** Whether a node deletes its copy; one that has stopped does not, and is called dead later. */
  private boolean isBeingDeleted(BlockStatus block) {
    return block.going().stream()
        .mapToInt(node -> hdfs.indexOf(node).orElse(-1))
        .anyMatch(node -> node < 0 || hdfs.runs(node));
  }

  /**
   * Asserts that every block of a file is as safe as the weaker of before and after: replicas in
   * two racks, or all members of a verified stripe on nodes of their own and within the rack limit.
   */
  void assertTolerant(String path) throws IOException {
    safety.assertTolerant(path);
  }

  String rack(String uuid) {
    return hdfs.nodeName(hdfs.indexOf(uuid).orElseThrow()).replaceAll("-.*", "");
  }

  /** The number of a node's site. */
  int site(int node) {
    return node % racks % sites;
  }

  /** The node that holds most blocks of the stripes. */
  int heaviestNode() throws IOException {
    Map<String, Integer> load = new HashMap<>();
    for (StripeStatus status : stripes()) {
      status.stripe().members().stream()
          .filter(m -> !m.isVirtual())
          .forEach(m -> load.merge(m.home(), 1, Integer::sum));
    }
    String uuid = java.util.Collections.max(load.entrySet(), Map.Entry.comparingByValue()).getKey();
    return hdfs.indexOf(uuid).orElseThrow();
  }

  /** The nodes of a stripe's members, in order; virtual members left out. */
  List<Integer> homes(StripeStatus status) {
    return status.stripe().members().stream()
        .filter(m -> !m.isVirtual())
        .map(m -> hdfs.indexOf(m.home()).orElseThrow())
        .toList();
  }

  /** Starts every stopped node again. */
  void startAll() throws IOException {
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (!hdfs.runs(i)) {
        hdfs.startNode(i);
      }
    }
    hdfs.awaitNodes();
    awaitTrusted(Datanode::live);
  }

  /** Starts a node again; others may stay stopped. */
  void start(int node) throws IOException {
    hdfs.startNode(node);
    hdfs.awaitNodes();
    awaitTrusted(hdfs.uuid(node));
  }

  /** Has HDFS call all nodes dead that are stopped, once Braid has missed them. */
  void awaitDead() throws IOException {
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (!hdfs.runs(i)) {
        awaitMissed(hdfs.uuid(i));
        hdfs.awaitDead(i);
      }
    }
  }

  private void awaitMissed(String uuid) throws IOException {
    try (NameNodeCalls calls = calls()) {
      Await.until(
          "a stopped node to be missed",
          () ->
              calls.cluster().getDatanodesList().stream()
                  .map(StatusCodec::of)
                  .noneMatch(node -> node.uuid().equals(uuid) && node.live() && !node.suspect()));
    }
  }

  /** The other NameNode takes over, and is waited for. */
  void failOver() throws IOException {
    hdfs.failOver();
    awaitDead();
    awaitTrusted(Datanode::live);
  }

  /** The same, and the first NameNode lives on. */
  void handOver() throws IOException {
    hdfs.handOver();
    awaitDead();
    awaitTrusted(Datanode::live);
  }

  /**
   * All nodes report all their blocks, as after a failover they would within hours; until then HDFS
   * deletes no surplus copies.
   */
  void reportBlocks() throws IOException {
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (hdfs.runs(i)) {
        hdfs.dataNode(i)
            .triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
      }
    }
  }

  /** Restarts the NameNode and waits for all nodes that run. */
  void restartNameNode() throws IOException {
    hdfs.restartNameNode();
    awaitTrusted(Datanode::live);
  }

  /** A node that was silent is suspect, and left out of answers, until it has answered again. */
  void awaitTrusted(String uuid) throws IOException {
    awaitTrusted(known -> known.uuid().equals(uuid));
  }

  private void awaitTrusted(Predicate<Datanode> which) throws IOException {
    try (NameNodeCalls calls = calls()) {
      Await.until(
          "all nodes that run to be trusted",
          () -> {
            List<Datanode> known =
                calls.cluster().getDatanodesList().stream()
                    .map(StatusCodec::of)
                    .filter(which)
                    .toList();
            return !known.isEmpty()
                && known.stream().allMatch(node -> node.live() && !node.suspect());
          });
    }
  }

  /** Deletes all files; what is Braid's own stays. */
  void deleteAll() throws IOException {
    for (var left : fs.listStatus(new Path("/"))) {
      if (!left.getPath().toUri().getPath().equals(BraidPaths.ROOT)) {
        fs.delete(left.getPath(), true);
      }
    }
  }

  @Override
  public void close() throws IOException {
    questions.close();
    fs.close();
    hdfs.close();
    FileTrees.delete(directory);
  }
}
