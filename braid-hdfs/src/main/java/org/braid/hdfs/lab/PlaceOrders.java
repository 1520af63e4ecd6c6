package org.braid.hdfs.lab;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.rpc.DirectReads;

/** Orders about where blocks are, and waits until they are where they should be. Thread-safe. */
final class PlaceOrders {
  private static final int CONNECT_MILLIS = 10_000;
  private static final long LOOK_MILLIS = 50;

  private final Access access;
  private final FileOrders files;

  PlaceOrders(Access access, FileOrders files) {
    this.access = access;
    this.files = files;
  }

  Answer.Placed blocks(Command.Blocks order) throws IOException {
    List<Answer.Block> out = new ArrayList<>();
    for (String path : files.files(order.path())) {
      int index = 0;
      for (LocatedBlock block : located(path).getLocatedBlocks()) {
        List<Answer.Node> nodes = new ArrayList<>();
        for (DatanodeInfo node : block.getLocations()) {
          nodes.add(new Answer.Node(node.getHostName(), node.getNetworkLocation()));
        }
        out.add(
            new Answer.Block(path, index++, block.getStartOffset(), block.getBlockSize(), nodes));
      }
    }
    return new Answer.Placed(out);
  }

  /** The blocks of a file, without waiting for those that are lost. */
  private LocatedBlocks located(String path) throws IOException {
    return DirectReads.run(
        () -> access.files().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE));
  }

  Answer.Moved moveBlock(Command.MoveBlock order) throws IOException {
    List<LocatedBlock> blocks = located(order.path()).getLocatedBlocks();
    if (order.block() < 0 || order.block() >= blocks.size()) {
      throw new IOException(
          order.path() + " has " + blocks.size() + " blocks, none is number " + order.block());
    }
    LocatedBlock block = blocks.get(order.block());
    DatanodeInfo from = holder(order, block);
    DatanodeInfo to = node(order.to());
    long begun = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(to.getIpAddr(), to.getXferPort()), CONNECT_MILLIS);
      var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      new Sender(out)
          .replaceBlock(
              block.getBlock(),
              block.getStorageTypes()[0],
              block.getBlockToken(),
              from.getDatanodeUuid(),
              from,
              null);
      out.flush();
      var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      BlockOpResponseProto answer;
      do {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      } while (answer.getStatus() == Status.IN_PROGRESS);
      if (answer.getStatus() != Status.SUCCESS) {
        throw new IOException(
            to.getHostName() + " did not copy " + block.getBlock() + ": " + answer.getMessage());
      }
    }
    return new Answer.Moved(
        FileOrders.since(begun), block.getBlockSize(), from.getHostName(), to.getHostName());
  }

  private static DatanodeInfo holder(Command.MoveBlock order, LocatedBlock block)
      throws IOException {
    return Arrays.stream(block.getLocations())
        .filter(node -> order.from().isEmpty() || node.getHostName().equals(order.from()))
        .findFirst()
        .orElseThrow(
            () -> new IOException(order.from() + " has no replica of " + block.getBlock()));
  }

  private DatanodeInfo node(String host) throws IOException {
    DatanodeInfo[] live = access.files().getDataNodeStats(DatanodeReportType.LIVE);
    return Arrays.stream(live)
        .filter(node -> node.getHostName().equals(host))
        .findFirst()
        .orElseThrow(
            () -> new IOException("no live DataNode is called " + host + ", of " + live.length));
  }

  Answer.Done awaitNodes(Command.AwaitNodes order) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long trusted;
    while ((trusted = trusted()) != order.count()) {
      if (FileOrders.since(begun) > order.seconds()) {
        throw new IOException(
            "waited %.0f s in vain for %d live DataNodes, there are %d"
                .formatted(order.seconds(), order.count(), trusted));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return new Answer.Done(FileOrders.since(begun));
  }

  private long trusted() throws IOException {
    return access
        .nameNode()
        .ask(stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()))
        .getDatanodesList()
        .stream()
        .filter(PlaceOrders::trusted)
        .count();
  }

  private static boolean trusted(DatanodeProto node) {
    return node.getLive() && !node.getSuspect();
  }

  Answer.Whole awaitWhole(Command.AwaitWhole order) throws IOException, InterruptedException {
    List<String> paths = files.files(order.path());
    long begun = System.nanoTime();
    double broken = -1;
    int most = 0;
    while (true) {
      int missing = 0;
      int surplus = 0;
      for (String path : paths) {
        Lack lack = lack(path);
        missing += lack.missing();
        surplus += lack.surplus();
      }
      double now = FileOrders.since(begun);
      if (missing > 0 && broken < 0) {
        broken = now;
      }
      most = Math.max(most, missing);
      if (missing == 0 && (order.afterLoss() ? broken >= 0 : surplus == 0)) {
        return new Answer.Whole(broken, now, most);
      }
      if (now > order.seconds()) {
        throw new IOException(
            missing + surplus > 0
                ? "after %.0f s %d replicas or units below %s are missing, %d are too many"
                    .formatted(now, missing, order.path(), surplus)
                : "for %.0f s nothing below %s was missing".formatted(now, order.path()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Replicas, or units of stripes, that are missing, and that are there beside enough others. */
  private record Lack(int missing, int surplus) {}

  private Lack lack(String path) throws IOException {
    DistributedFileSystem fs = access.files();
    HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(new Path(path));
    ErasureCodingPolicy policy = status.getErasureCodingPolicy();
    int missing = 0;
    int surplus = 0;
    for (LocatedBlock block : located(path).getLocatedBlocks()) {
      int expected = status.getReplication();
      int there = block.getLocations().length;
      if (policy != null && block instanceof LocatedStripedBlock striped) {
        long cells = (block.getBlockSize() + policy.getCellSize() - 1) / policy.getCellSize();
        expected = (int) Math.min(cells, policy.getNumDataUnits()) + policy.getNumParityUnits();
        boolean[] seen = new boolean[policy.getNumDataUnits() + policy.getNumParityUnits()];
        for (byte unit : striped.getBlockIndices()) {
          seen[unit] = true;
        }
        there = 0;
        for (boolean unit : seen) {
          there += unit ? 1 : 0;
        }
      }
      missing += Math.max(0, expected - there);
      surplus += block.getLocations().length - Math.min(there, expected);
    }
    return new Lack(missing, surplus);
  }
}
