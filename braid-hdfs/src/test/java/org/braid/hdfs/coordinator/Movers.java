package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;

/** Moves single replicas as HDFS's Balancer and Mover do, by the same call between DataNodes. */
final class Movers {
  private static final long MILLIS = 20_000;

  private Movers() {}

  /** The stripe of a file's first block. */
  static StripeStatusProto stripeOf(Lab lab, String path) throws IOException {
    return stripeOf(lab, path, 0);
  }

  /** The stripe of a block of a file, by the block's number. */
  static StripeStatusProto stripeOf(Lab lab, String path, int block) throws IOException {
    long id = lab.files(path).get(0).getBlocks(block).getBlock().getId();
    try (NameNodeCalls calls = lab.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }

  /** A block as DataNodes know it. */
  private static ExtendedBlock known(Lab lab, BlockProto block) {
    return new ExtendedBlock(
        lab.hdfs.nameNode().getNamesystem().getBlockPoolId(),
        block.getId(),
        block.getLength(),
        block.getGeneration());
  }

  static boolean isPinned(Lab lab, BlockProto block, int node) throws IOException {
    return lab.hdfs.dataNode(node).getFSDataset().getPinning(known(lab, block));
  }

  /** Pins a replica. */
  static void pin(Lab lab, BlockProto block, int node) throws IOException {
    lab.hdfs.dataNode(node).getFSDataset().setPinning(known(lab, block));
  }

  /** Takes the pin off a replica, as an operator may with chmod. */
  static void unpin(Lab lab, BlockProto block, int node) throws IOException {
    String file =
        lab.hdfs
            .dataNode(node)
            .getFSDataset()
            .getBlockLocalPathInfo(known(lab, block))
            .getBlockPath();
    FileSystem.getLocal(lab.hdfs.configuration())
        .setPermission(new Path(file), new FsPermission((short) 0644));
  }

  /**
   * Moves a replica, which is pinned before, while the NameNode is without Braid, and waits until
   * it is listed at its new node and there alone.
   */
  static void move(Lab lab, BlockProto block, int from, int to) throws Exception {
    assertTrue(isPinned(lab, block, from), "the replica is not pinned");
    assertFalse(tryMove(lab, block, from, to), "a pinned replica was moved");
    unpin(lab, block, from);
    // HDFS takes a new copy for the surplus one that a node has yet to report as deleted.
    assertTrue(
        Waiting.until(MILLIS, () -> !isGoing(lab, block, lab.hdfs.uuid(to))),
        "a surplus copy stays");
    HdfsMovers.withoutPlugin(
        lab.hdfs,
        () -> {
          assertTrue(
              Waiting.until(MILLIS, () -> tryMove(lab, block, from, to)), "the move was refused");
          assertTrue(
              Waiting.until(MILLIS, () -> holders(lab, block).equals(List.of(lab.hdfs.uuid(to)))),
              () -> "the replica did not move to node " + to);
        });
  }

  private static boolean isGoing(Lab lab, BlockProto block, String uuid) throws IOException {
    return statuses(lab, block).anyMatch(status -> status.getGoingList().contains(uuid));
  }

  /** Tries to move a replica; says whether the DataNodes did it. */
  static boolean tryMove(Lab lab, BlockProto block, int from, int to) throws IOException {
    DataNode target = lab.hdfs.dataNode(to);
    ExtendedBlock moved = known(lab, block);
    DatanodeInfo source =
        new DatanodeInfoBuilder().setNodeID(lab.hdfs.dataNode(from).getDatanodeId()).build();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.getXferPort()));
      var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      new Sender(out)
          .replaceBlock(
              moved,
              StorageType.DEFAULT,
              BlockTokenSecretManager.DUMMY_TOKEN,
              lab.hdfs.uuid(from),
              source,
              null);
      out.flush();
      var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      BlockOpResponseProto answer;
      do {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      } while (answer.getStatus() == Status.IN_PROGRESS);
      return answer.getStatus() == Status.SUCCESS;
    }
  }

  /** UUIDs of the nodes that the NameNode lists with a live replica of a stripe's block. */
  static List<String> holders(Lab lab, BlockProto block) throws IOException {
    return statuses(lab, block)
        .flatMap(status -> status.getReplicasList().stream())
        .filter(replica -> replica.getLive())
        .map(replica -> replica.getNode())
        .toList();
  }

  private static Stream<BlockStatusProto> statuses(Lab lab, BlockProto block) throws IOException {
    try (NameNodeCalls calls = lab.calls()) {
      return calls.stripesOf(List.of(block.getId())).stream()
          .flatMap(status -> status.getMembersList().stream())
          .filter(m -> m.hasStatus() && m.getStatus().getBlock().equals(block))
          .map(MemberStatusProto::getStatus);
    }
  }
}
