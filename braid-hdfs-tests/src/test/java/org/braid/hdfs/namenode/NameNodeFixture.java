package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.ProtectRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.Plugins;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;

/**
 * A cluster with the plugin, a client of its service that holds the lease, and handmade stripes.
 */
public class NameNodeFixture implements Closeable {
  static final int BLOCK = 4096;

  public EmbeddedCluster cluster;
  public DistributedFileSystem fs;
  BraidNameNodePB stub;
  String lease;
  private final Random random = new Random(7);

  /** A fixture whose cluster is started later. */
  NameNodeFixture() {}

  /** Starts a cluster of DataNodes with the plugin in its NameNode. */
  public static NameNodeFixture start(
      java.nio.file.Path directory, int racks, int nodes, Map<String, String> properties)
      throws IOException {
    NameNodeFixture fixture = new NameNodeFixture();
    fixture.open(directory, racks, nodes, properties);
    return fixture;
  }

  final void open(
      java.nio.file.Path directory, int racks, int nodes, Map<String, String> properties)
      throws IOException {
    cluster =
        EmbeddedCluster.start(new EmbeddedSettings(racks, nodes, BLOCK, directory, properties));
    try {
      fs = cluster.fileSystem();
      stub = connect();
      lease = acquire();
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private BraidNameNodePB connect() throws IOException {
    return Rpc.nameNode(cluster.configuration(), cluster.nameNode().getNameNodeAddress());
  }

  private String acquire() throws IOException {
    return Rpc.call(
            () -> stub.acquire(null, AcquireRequestProto.newBuilder().setHolder("test").build()))
        .getLease();
  }

  /** Restarts the NameNode and takes the lease again. */
  public void restart() throws IOException {
    Rpc.stop(stub);
    cluster.restartNameNode();
    stub = connect();
    try {
      lease = acquire();
    } catch (IOException e) {
      lease = acquire(); // the first call finds that the old connection is closed
    }
  }

  /** Keeps the lease over a slow test. */
  void renew() throws IOException {
    boolean held =
        Rpc.call(() -> stub.renew(null, RenewRequestProto.newBuilder().setLease(lease).build()))
            .getHeld();
    if (!held) {
      lease = acquire();
    }
  }

  BlockManager blocks() {
    return cluster.nameNode().getNamesystem().getBlockManager();
  }

  BlockInfo block(long id) {
    return blocks().getStoredBlock(new Block(id));
  }

  /** Writes a file of some blocks and waits until all replicas are reported. */
  public FileProto write(String path, int blocks, int replication) throws Exception {
    byte[] content = new byte[blocks * BLOCK - 100];
    random.nextBytes(content);
    try (FSDataOutputStream out =
        fs.create(new Path(path), true, 4096, (short) replication, BLOCK)) {
      out.write(content);
    }
    Await.until(
        path + " to have " + replication + " replicas",
        () ->
            file(path).getBlocksList().stream()
                .allMatch(b -> b.getComplete() && b.getReplicasCount() == replication));
    return file(path);
  }

  FileProto file(String path) throws IOException {
    return Rpc.call(() -> stub.files(null, FilesRequestProto.newBuilder().setPath(path).build()))
        .getFiles(0);
  }

  String rack(String uuid) {
    return blocks().getDatanodeManager().getDatanode(uuid).getNetworkLocation();
  }

  /**
   * Makes a published stripe: homes among the replicas that there are, parity written through the
   * staging directory. Its content is no real parity.
   */
  public StripeProto publish(
      String code, List<BlockStatusProto> data, UnaryOperator<StripeProto> change)
      throws Exception {
    StripeProto made = stage(code, data, change);
    Path published = new Path(BraidPaths.stripePath(made.getId()));
    fs.mkdirs(published.getParent());
    Path first = new Path(BraidPaths.stagingDirectory(made.getId()));
    assertTrue(fs.rename(fs.listStatus(first)[0].getPath(), published));
    return made;
  }

  /** The same up to the description of the stripe in the staging directory. */
  StripeProto stage(String code, List<BlockStatusProto> data, UnaryOperator<StripeProto> change)
      throws Exception {
    return new HandmadeStripes(this, random).stage(code, data, change);
  }

  /** Describes a published stripe under a lease. */
  void putAs(String anyLease, StripeProto stripe) throws IOException {
    Rpc.call(
        () ->
            stub.putStripe(
                null,
                PutStripeRequestProto.newBuilder()
                    .setLease(anyLease)
                    .setParityPath(BraidPaths.stripePath(stripe.getId()))
                    .setStripe(stripe)
                    .build()));
  }

  void put(String path, StripeProto stripe) throws IOException {
    renew();
    Rpc.call(
        () ->
            stub.putStripe(
                null,
                PutStripeRequestProto.newBuilder()
                    .setLease(lease)
                    .setParityPath(path)
                    .setStripe(stripe)
                    .build()));
  }

  /** Braid's calls on the NameNode, by another user. */
  BraidNameNodePB stub(UserGroupInformation user) throws Exception {
    return user.doAs((PrivilegedExceptionAction<BraidNameNodePB>) this::connect);
  }

  /** HDFS's client of another user. */
  DistributedFileSystem fileSystem(UserGroupInformation user) throws Exception {
    return (DistributedFileSystem)
        user.doAs(
            (PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(cluster.configuration()));
  }

  /** The NameNode's plugin. */
  public BraidNameNodePlugin plugin() {
    return Plugins.of(cluster.nameNode());
  }

  /** A stripe of a file of two blocks that have one copy each. */
  public StripeProto encode(String path) throws Exception {
    FileProto file = write(path, 2, 3);
    StripeProto stripe = publish("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(List.of(), trim(stripe.getId()));
    fs.setReplication(new Path(path), (short) 1);
    for (BlockStatusProto block : file.getBlocksList()) {
      long id = block.getBlock().getId();
      Await.until("one copy of " + path, () -> copies(id).size() == 1 && leaving(id).isEmpty());
    }
    return stripe;
  }

  /** The same file system over WebHDFS. */
  public FileSystem overWeb() throws IOException {
    String address = NetUtils.getHostPortString(cluster.nameNode().getHttpAddress());
    return FileSystem.newInstance(URI.create("webhdfs://" + address), fs.getConf());
  }

  /** Trims a stripe's blocks; what is refused. */
  public List<String> trim(String id) throws IOException {
    return trim(id, false);
  }

  List<String> trim(String id, boolean onlySurplus) throws IOException {
    return answerToTrim(id, onlySurplus).getRefusalsList();
  }

  TrimResponseProto answerToTrim(String id, boolean onlySurplus) throws IOException {
    return answerToTrim(id, onlySurplus, filesOf(id));
  }

  private Set<Long> filesOf(String id) throws IOException {
    Set<Long> files = new HashSet<>();
    Optional<StripeIndex.Entry> stripe = plugin().index().published(id);
    if (stripe.isPresent()) {
      for (long block : stripe.get().stripe().blockIds()) {
        BlockInfo stored = blocks().getStoredBlock(new Block(block));
        if (stored != null) {
          files.add(stored.getBlockCollectionId());
        }
      }
    }
    return files;
  }

  TrimResponseProto answerToTrim(String id, boolean onlySurplus, Set<Long> files)
      throws IOException {
    renew();
    return Rpc.call(
        () ->
            stub.trim(
                null,
                TrimRequestProto.newBuilder()
                    .setLease(lease)
                    .setStripeId(id)
                    .setOnlySurplus(onlySurplus)
                    .addAllInodes(files)
                    .build()));
  }

  List<StripeStatusProto> stripes(long... blockIds) throws IOException {
    StripesRequestProto.Builder request = StripesRequestProto.newBuilder();
    for (long id : blockIds) {
      request.addBlockIds(id);
    }
    return Rpc.call(() -> stub.stripes(null, request.build())).getStripesList();
  }

  List<String> sweep(String... replicatedStripes) throws IOException {
    renew();
    return Rpc.call(
            () ->
                stub.sweep(
                    null,
                    SweepRequestProto.newBuilder()
                        .setLease(lease)
                        .addAllReplicatedStripes(List.of(replicatedStripes))
                        .build()))
        .getDeletedList();
  }

  void raise(long inode, int replication) throws IOException {
    renew();
    Rpc.call(
        () ->
            stub.raise(
                null,
                RaiseRequestProto.newBuilder()
                    .setLease(lease)
                    .setInode(inode)
                    .setReplication(replication)
                    .build()));
  }

  void protect(String stripe) throws IOException {
    renew();
    Rpc.call(
        () ->
            stub.protect(
                null,
                ProtectRequestProto.newBuilder().setLease(lease).setStripeId(stripe).build()));
  }

  /** The identity of a file's only block, whatever directory it is in. */
  BlockProto identity(String path) throws IOException {
    var located = fs.getClient().getLocatedBlocks(path, 0).get(0).getBlock();
    return StripeCodec.toProto(ReplicaView.identity(located.getLocalBlock()));
  }

  /** Copies a block from one node's disk to another node, which tells the NameNode of it. */
  void addReplica(int from, int to, BlockIdentity copied) throws Exception {
    addReplica(from, to, copied, "", content -> content);
  }

  /**
   * Copies a block as a mover does.
   *
   * @param hint the node whose replica the copy is to replace
   * @param change of what is written
   */
  void addReplica(int from, int to, BlockIdentity copied, String hint, UnaryOperator<byte[]> change)
      throws Exception {
    java.nio.file.Path source = Disks.file(cluster, from, copied.id()).orElseThrow();
    java.nio.file.Path meta =
        source.resolveSibling("blk_" + copied.id() + "_" + copied.generation() + ".meta");
    DataNode target = cluster.dataNode(to);
    FsDatasetSpi<? extends FsVolumeSpi> stored = target.getFSDataset();
    ExtendedBlock block =
        new ExtendedBlock(
            cluster.nameNode().getNamesystem().getBlockPoolId(),
            copied.id(),
            copied.length(),
            copied.generation());
    try (ReplicaHandler handler = stored.createTemporary(StorageType.DISK, null, block, false)) {
      LocalReplica replica = (LocalReplica) handler.getReplica().getReplicaInfo();
      Files.write(replica.getBlockFile().toPath(), change.apply(Files.readAllBytes(source)));
      Files.write(replica.getMetaFile().toPath(), Files.readAllBytes(meta));
      handler.getReplica().setNumBytes(block.getNumBytes());
    }
    stored.finalizeBlock(block, false);
    target.notifyNamenodeReceivedBlock(block, hint, stored.getVolume(block).getStorageID(), false);
  }

  /** The nodes that hold a block's replicas as the NameNode says, with what it counts as live. */
  public Set<String> holders(long id) {
    Set<String> uuids = new HashSet<>();
    for (ReplicaView replica : ReplicaView.of(blocks(), block(id))) {
      if (!replica.excess()) {
        uuids.add(replica.uuid());
      }
    }
    return uuids;
  }

  /** Has all replicas of a block deleted at their nodes, which report it. */
  public void lose(BlockProto block) throws IOException {
    Block[] replicas = {new Block(block.getId(), block.getLength(), block.getGeneration())};
    String pool = cluster.nameNode().getNamesystem().getBlockPoolId();
    for (String uuid : holders(block.getId())) {
      int node = cluster.indexOf(uuid).orElseThrow();
      cluster.dataNode(node).getFSDataset().invalidate(pool, replicas);
    }
    Await.until("the loss to be reported", () -> holders(block.getId()).isEmpty());
  }

  /** The nodes that have not yet reported that they deleted a replica. */
  Set<String> leaving(long id) {
    return Set.copyOf(ReplicaView.status(blocks(), block(id)).going());
  }

  /** The nodes that have a finalised file of a block on their disk. */
  Set<String> copies(long id) throws IOException {
    Set<String> uuids = new HashSet<>();
    for (int i = 0; i < cluster.nodes(); i++) {
      if (Disks.file(cluster, i, id).isPresent()) {
        uuids.add(cluster.uuid(i));
      }
    }
    return uuids;
  }

  /** All paths below a path, listed page by page. */
  Map<String, FileProto> list(String path, int page) throws IOException {
    Map<String, FileProto> files = new TreeMap<>();
    String after = null;
    boolean more = true;
    while (more) {
      FilesRequestProto.Builder request =
          FilesRequestProto.newBuilder().setPath(path).setLimit(page);
      if (after != null) {
        request.setAfter(after);
      }
      var response = Rpc.call(() -> stub.files(null, request.build()));
      for (FileProto file : response.getFilesList()) {
        files.put(file.getPath(), file);
        after = file.getPath();
      }
      more = response.getMore();
    }
    return files;
  }

  /** Has DataNodes tell the NameNode that they live, and hear what they are to do, or not. */
  void heartbeats(boolean on) {
    for (int node = 0; node < cluster.nodes(); node++) {
      NodeHeartbeats.set(cluster.dataNode(node), on);
    }
  }

  /**
   * Leaves a cluster of which all nodes run as it was when it started: no file, snapshot or stripe
   * of a test is there any more, all nodes are heard and have nothing to delete. A test that had
   * blocks lost need not put up with what Braid says to that.
   */
  public void wipe() throws Exception {
    heartbeats(true);
    NamenodeProtocols past = plugin().host().calls();
    SnapshottableDirectoryStatus[] snapshottable = fs.getSnapshottableDirListing();
    if (snapshottable != null) {
      for (SnapshottableDirectoryStatus directory : snapshottable) {
        Path path = directory.getFullPath();
        for (FileStatus snapshot : fs.listStatus(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR))) {
          past.deleteSnapshot(path.toUri().getPath(), snapshot.getPath().getName());
        }
        past.disallowSnapshot(path.toUri().getPath());
      }
    }
    Path root = new Path("/");
    for (FileStatus left : fs.listStatus(root)) {
      String path = left.getPath().toUri().getPath();
      if (!path.equals(BraidPaths.ROOT)) {
        assertTrue(past.delete(path, true), path);
      }
    }
    fs.setPermission(root, new FsPermission((short) 0755));
    Await.until(
        "all parity to be swept",
        () -> {
          sweep();
          return !fs.listFiles(new Path(BraidPaths.STRIPES), true).hasNext()
              && fs.listStatus(new Path(BraidPaths.STAGING)).length == 0;
        });
    cluster.awaitNodes();
    Await.until(
        "all nodes to be told what to delete", () -> blocks().getPendingDeletionBlocksCount() == 0);
  }

  @Override
  public void close() throws IOException {
    Rpc.stop(stub);
    fs.close();
    cluster.close();
  }
}
