package org.braid.hdfs.testkit.lab;

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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
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
import org.braid.hdfs.rpc.CallerContexts;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;

/** Executes commands on the placement of blocks. Thread-safe. */
final class BlockCommands {
  private static final int CONNECT_MILLIS = 10_000;
  private static final long LOOK_MILLIS = 50;

  /** Times the duration of a look until the next one. */
  private static final int LOOKS_APART = 5;

  private final ClusterClients clients;
  private final FileCommands files;

  BlockCommands(ClusterClients clients, FileCommands files) {
    this.clients = clients;
    this.files = files;
  }

  Answer.BlockLocations blocks(Command.Blocks command) throws IOException {
    List<Answer.Block> out = new ArrayList<>();
    for (String path : files.files(command.path())) {
      int index = 0;
      for (LocatedBlock block : located(path).getLocatedBlocks()) {
        List<Answer.Node> nodes = new ArrayList<>();
        for (DatanodeInfo node : block.getLocations()) {
          nodes.add(new Answer.Node(node.getHostName(), node.getNetworkLocation()));
        }
        out.add(
            new Answer.Block(
                path,
                index++,
                block.getBlock().getBlockName(),
                block.getStartOffset(),
                block.getBlockSize(),
                nodes));
      }
    }
    return new Answer.BlockLocations(out);
  }

  /** The blocks of a file, without waiting for the repair of lost ones. */
  private LocatedBlocks located(String path) throws IOException {
    return CallerContexts.direct(
        () -> clients.files().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE));
  }

  Answer.Moved moveBlock(Command.MoveBlock command) throws IOException {
    List<LocatedBlock> blocks = located(command.path()).getLocatedBlocks();
    if (command.block() < 0 || command.block() >= blocks.size()) {
      throw new IOException(
          command.path() + " has " + blocks.size() + " blocks, none is number " + command.block());
    }
    LocatedBlock block = blocks.get(command.block());
    DatanodeInfo from = holder(command, block);
    DatanodeInfo to = node(command.to());
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
        FileCommands.since(begun), block.getBlockSize(), from.getHostName(), to.getHostName());
  }

  private static DatanodeInfo holder(Command.MoveBlock command, LocatedBlock block)
      throws IOException {
    return Arrays.stream(block.getLocations())
        .filter(node -> command.from().isEmpty() || node.getHostName().equals(command.from()))
        .findFirst()
        .orElseThrow(
            () -> new IOException(command.from() + " has no replica of " + block.getBlock()));
  }

  /** Reports a replica, if it is still in its place. */
  void reportBad(Command.ReportBad command) throws IOException {
    for (LocatedBlock block : located(command.path()).getLocatedBlocks()) {
      DatanodeInfo[] nodes = block.getLocations();
      for (int i = 0; i < nodes.length; i++) {
        if (block.getBlock().getBlockName().equals(command.block())
            && nodes[i].getHostName().equals(command.host())) {
          LocatedBlock bad =
              new LocatedBlock(
                  block.getBlock(),
                  new DatanodeInfo[] {nodes[i]},
                  new String[] {block.getStorageIDs()[i]},
                  new StorageType[] {block.getStorageTypes()[i]});
          clients.files().getClient().reportBadBlocks(new LocatedBlock[] {bad});
        }
      }
    }
  }

  private DatanodeInfo node(String host) throws IOException {
    DatanodeInfo[] live = clients.files().getDataNodeStats(DatanodeReportType.LIVE);
    return Arrays.stream(live)
        .filter(node -> node.getHostName().equals(host))
        .findFirst()
        .orElseThrow(
            () -> new IOException("no live DataNode is called " + host + ", of " + live.length));
  }

  Answer.Done awaitNodes(Command.AwaitNodes command) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long trusted;
    while ((trusted = trusted()) != command.count()) {
      if (FileCommands.since(begun) > command.seconds()) {
        throw new IOException(
            "waited %.0f s in vain for %d live DataNodes, there are %d"
                .formatted(command.seconds(), command.count(), trusted));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return new Answer.Done(FileCommands.since(begun));
  }

  private long trusted() throws IOException {
    return clients
        .nameNode()
        .ask(stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()))
        .getDatanodesList()
        .stream()
        .map(StatusCodec::of)
        .filter(BlockCommands::trusted)
        .count();
  }

  private static boolean trusted(Datanode node) {
    return node.live() && !node.suspect();
  }

  Answer.Whole awaitWhole(Command.AwaitWhole command) throws IOException, InterruptedException {
    List<String> paths = files.files(command.path());
    long begun = System.nanoTime();
    double broken = -1;
    int most = 0;
    while (true) {
      int missing = 0;
      int surplus = 0;
      long looked = System.nanoTime();
      for (String path : paths) {
        Lack lack = lack(path);
        missing += lack.missing();
        surplus += lack.surplus();
      }
      double now = FileCommands.since(begun);
      if (missing > 0 && broken < 0) {
        broken = now;
      }
      most = Math.max(most, missing);
      if (missing == 0 && (command.afterLoss() ? broken >= 0 : surplus == 0)) {
        return new Answer.Whole(broken, now, most);
      }
      if (now > command.seconds()) {
        throw new IOException(
            missing + surplus > 0
                ? "after %.0f s %d replicas or units below %s are missing, %d are too many"
                    .formatted(now, missing, command.path(), surplus)
                : "for %.0f s nothing below %s was missing".formatted(now, command.path()));
      }
      // Looks at many files shall not take the time of those that are waited for.
      long looking = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - looked);
      Thread.sleep(Math.max(LOOK_MILLIS, LOOKS_APART * looking));
    }
  }

  /** Numbers of missing and of surplus replicas or units. */
  private record Lack(int missing, int surplus) {}

  private Lack lack(String path) throws IOException {
    DistributedFileSystem fs = clients.files();
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
