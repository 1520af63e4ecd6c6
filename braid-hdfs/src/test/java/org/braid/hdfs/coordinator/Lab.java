package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.embedded.EmbeddedCluster;
import org.braid.hdfs.embedded.EmbeddedSettings;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.rpc.BraidPaths;

/** A small cluster with Braid, and what the tests of the lifecycle ask of it again and again. */
final class Lab implements AutoCloseable {
  static final int BLOCK = 8192;
  static final int SLICE = 2048;

  final EmbeddedCluster hdfs;
  final DistributedFileSystem fs;
  private final int sites;
  private final int racks;
  private final java.nio.file.Path directory;
  private final Map<String, byte[]> contents = new HashMap<>();

  Lab(int racks, int nodes) throws IOException {
    this(racks, nodes, Map.of());
  }

  Lab(int racks, int nodes, Map<String, String> properties) throws IOException {
    this(1, racks, nodes, properties);
  }

  Lab(int sites, int racks, int nodes, Map<String, String> properties) throws IOException {
    this(sites, racks, nodes, properties, 1);
  }

  Lab(int sites, int racks, int nodes, Map<String, String> properties, int nameNodes)
      throws IOException {
    this.sites = sites;
    this.racks = racks;
    directory = Files.createTempDirectory("braid-lab");
    hdfs =
        EmbeddedCluster.start(
            new EmbeddedSettings(sites, racks, nodes, BLOCK, directory, properties, nameNodes));
    fs = hdfs.fileSystem();
  }

  Connection connection() {
    return new Connection(Optional.of(hdfs.uri()), List.of(), hdfs.clientProperties());
  }

  Cluster braid() throws IOException {
    return Braid.connect(connection());
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

  /** Writes a file of random bytes; the lab remembers them. */
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

  void awaitReplicas(String path, int replication) throws IOException {
    assertTrue(
        Waiting.until(
            20_000,
            () ->
                files(path).stream()
                    .flatMap(f -> f.getBlocksList().stream())
                    .allMatch(b -> live(b) >= replication)),
        path + " has not " + replication + " replicas");
  }

  private static long live(BlockStatusProto block) {
    return block.getReplicasList().stream().filter(r -> r.getLive()).count();
  }

  List<FileProto> files(String path) throws IOException {
    try (NameNodeCalls calls = calls()) {
      return calls.files(path);
    }
  }

  List<StripeStatusProto> stripes() throws IOException {
    try (NameNodeCalls calls = calls()) {
      return calls.stripes();
    }
  }

  NameNodeCalls calls() throws IOException {
    Configuration conf = hdfs.configuration();
    return new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf));
  }

  /** Asserts that HDFS's own client reads exactly what was written. */
  void assertReads(String path) throws IOException {
    try (DistributedFileSystem plain = hdfs.fileSystem()) {
      assertArrayEquals(content(path), read(plain, path), path + " reads differently");
    }
  }

  /** Asserts that Braid's client reads exactly what was written. */
  void assertReadsDegraded(String path) throws IOException {
    Configuration conf = hdfs.configuration();
    conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    try (FileSystem braid = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      assertArrayEquals(content(path), read(braid, path), path + " reads differently");
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
      throw new IllegalArgumentException(path + " was not written by this lab");
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
    for (FileProto file : files(path)) {
      assertEquals(1, file.getReplication(), path);
      assertTrue(
          Waiting.until(
              // After a restart surplus copies wait until homes have reported, or are given up.
              60_000,
              () ->
                  files(path).stream()
                      .flatMap(f -> f.getBlocksList().stream())
                      .allMatch(b -> b.getReplicasCount() == 1)),
          path + " has not one replica a block");
    }
  }

  /**
   * Asserts that every block of a file is as safe as the weaker of before and after: replicas in
   * two racks, or all members of a verified stripe on nodes of their own and within the rack limit.
   */
  void assertTolerant(String path) throws IOException {
    Map<Long, StripeStatusProto> stripeOf = new HashMap<>();
    for (StripeStatusProto status : stripes()) {
      if (status.getStripe().getVerified() && whole(status)) {
        Stripes.blockIds(status.getStripe()).forEach(id -> stripeOf.put(id, status));
      }
    }
    for (FileProto file : files(path)) {
      for (BlockStatusProto block : file.getBlocksList()) {
        Set<String> racks = new HashSet<>();
        block.getReplicasList().stream()
            .filter(r -> r.getLive())
            .forEach(r -> racks.add(rack(r.getNode())));
        assertTrue(
            racks.size() >= 2 || stripeOf.containsKey(block.getBlock().getId()),
            () ->
                file.getPath()
                    + ": blk_"
                    + block.getBlock().getId()
                    + " is neither replicated nor encoded: "
                    + story(block));
      }
    }
  }

  /** Where the members of a block's stripe should be and are. */
  String story(BlockStatusProto block) {
    StringBuilder text = new StringBuilder();
    try (NameNodeCalls calls = calls()) {
      for (StripeStatusProto status : calls.stripesOf(List.of(block.getBlock().getId()))) {
        for (int i = 0; i < status.getMembersCount(); i++) {
          text.append("\n").append(i).append(" home ");
          text.append(name(status.getStripe().getMembers(i).getHome())).append(", at");
          status.getMembers(i).getStatus().getReplicasList().stream()
              .map(r -> " " + name(r.getNode()) + (r.getLive() ? "" : " (not live)"))
              .forEach(text::append);
          text.append(", going");
          status
              .getMembers(i)
              .getStatus()
              .getGoingList()
              .forEach(g -> text.append(' ').append(name(g)));
        }
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  private String name(String uuid) {
    OptionalInt index = hdfs.indexOf(uuid);
    return index.isPresent() ? hdfs.nodeName(index.getAsInt()) : uuid;
  }

  String rack(String uuid) {
    return hdfs.nodeName(hdfs.indexOf(uuid).orElseThrow()).replaceAll("-.*", "");
  }

  /** The number of a node's site. */
  int site(int node) {
    return node % racks % sites;
  }

  private boolean whole(StripeStatusProto status) {
    List<String> homes = new ArrayList<>();
    Map<String, Integer> racks = new HashMap<>();
    for (int i = 0; i < status.getMembersCount(); i++) {
      if (Stripes.isVirtual(status.getStripe(), i)) {
        continue;
      }
      String home = status.getStripe().getMembers(i).getHome();
      boolean there =
          !status.getMembers(i).getGone()
              && status.getMembers(i).getStatus().getReplicasList().stream()
                  .anyMatch(r -> r.getNode().equals(home) && r.getLive());
      if (!there) {
        return false;
      }
      homes.add(home);
      racks.merge(rack(home), 1, Integer::sum);
    }
    return new HashSet<>(homes).size() == homes.size()
        && racks.values().stream().allMatch(n -> n <= status.getStripe().getPerRack());
  }

  /** The node that holds most blocks of the stripes. */
  int heaviestNode() throws IOException {
    Map<String, Integer> load = new HashMap<>();
    for (StripeStatusProto status : stripes()) {
      status.getStripe().getMembersList().stream()
          .filter(m -> m.hasBlock())
          .forEach(m -> load.merge(m.getHome(), 1, Integer::sum));
    }
    String uuid = java.util.Collections.max(load.entrySet(), Map.Entry.comparingByValue()).getKey();
    return hdfs.indexOf(uuid).orElseThrow();
  }

  /** The nodes of a stripe's members, in order; virtual members left out. */
  List<Integer> homes(StripeStatusProto status) {
    return status.getStripe().getMembersList().stream()
        .filter(m -> m.hasBlock())
        .map(m -> hdfs.indexOf(m.getHome()).orElseThrow())
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
    awaitTrusted(DatanodeProto::getLive);
  }

  /** Starts a node again; others may stay stopped. */
  void start(int node) throws IOException {
    hdfs.startNode(node);
    hdfs.awaitNodes();
    awaitTrusted(hdfs.uuid(node));
  }

  /** The other NameNode takes over, and is waited for. */
  void failOver() throws IOException {
    hdfs.failOver();
    awaitTrusted(DatanodeProto::getLive);
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
    awaitTrusted(DatanodeProto::getLive);
  }

  /** A node that was silent is suspect, and left out of answers, until it has answered again. */
  void awaitTrusted(String uuid) throws IOException {
    awaitTrusted(known -> known.getUuid().equals(uuid));
  }

  private void awaitTrusted(Predicate<DatanodeProto> which) throws IOException {
    try (NameNodeCalls calls = calls()) {
      assertTrue(
          Waiting.until(
              30_000,
              () -> {
                List<DatanodeProto> known =
                    calls.cluster().getDatanodesList().stream().filter(which).toList();
                return !known.isEmpty()
                    && known.stream().allMatch(node -> node.getLive() && !node.getSuspect());
              }),
          "a node that runs stays suspect");
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
    fs.close();
    hdfs.close();
    try (var paths = Files.walk(directory)) {
      paths.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    }
  }
}
