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
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;

/** Moves single replicas as HDFS's Balancer and Mover do, by the same call between DataNodes. */
final class Movers {

  private Movers() {}

  /** The stripe of a file's first block. */
  static StripeStatus stripeOf(ClusterFixture fixture, String path) throws IOException {
    return stripeOf(fixture, path, 0);
  }

  /** The stripe of a block of a file, by the block's number. */
  static StripeStatus stripeOf(ClusterFixture fixture, String path, int block) throws IOException {
    long id = fixture.files(path).get(0).blocks().get(block).block().id();
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }

  /** The stripes of a file's blocks. */
  static List<StripeStatus> stripesOf(ClusterFixture fixture, String path) throws IOException {
    List<Long> ids = fixture.files(path).get(0).blocks().stream().map(b -> b.block().id()).toList();
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(ids);
    }
  }

  /** A block as DataNodes know it. */
  private static ExtendedBlock known(ClusterFixture fixture, BlockIdentity block) {
    return new ExtendedBlock(
        fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
        block.id(),
        block.length(),
        block.generation());
  }

  static boolean isPinned(ClusterFixture fixture, BlockIdentity block, int node)
      throws IOException {
    return fixture.hdfs.dataNode(node).getFSDataset().getPinning(known(fixture, block));
  }

  /** Pins a replica. */
  static void pin(ClusterFixture fixture, BlockIdentity block, int node) throws IOException {
    fixture.hdfs.dataNode(node).getFSDataset().setPinning(known(fixture, block));
  }

  /** Takes the pin off a replica, as an operator may with chmod. */
  static void unpin(ClusterFixture fixture, BlockIdentity block, int node) throws IOException {
    String file =
        fixture
            .hdfs
            .dataNode(node)
            .getFSDataset()
            .getBlockLocalPathInfo(known(fixture, block))
            .getBlockPath();
    FileSystem.getLocal(fixture.hdfs.configuration())
        .setPermission(new Path(file), new FsPermission((short) 0644));
  }

  /**
   * Moves a replica, which is pinned before, while the NameNode is without Braid, and waits until
   * it is listed at its new node and there alone.
   */
  static void move(ClusterFixture fixture, BlockIdentity block, int from, int to) throws Exception {
    assertTrue(isPinned(fixture, block, from), "the replica is not pinned");
    assertFalse(tryMove(fixture, block, from, to), "a pinned replica was moved");
    unpin(fixture, block, from);
    // HDFS takes a new copy for the surplus one that a node has yet to report as deleted.
    Await.until("the surplus copy to go", () -> !isGoing(fixture, block, fixture.hdfs.uuid(to)));
    HdfsMovers.withoutPlugin(
        fixture.hdfs,
        () -> {
          Await.until("the move to be carried out", () -> tryMove(fixture, block, from, to));
          Await.until(
              "the replica to move to node " + to,
              () -> holders(fixture, block).equals(List.of(fixture.hdfs.uuid(to))));
        });
  }

  private static boolean isGoing(ClusterFixture fixture, BlockIdentity block, String uuid)
      throws IOException {
    return statuses(fixture, block).anyMatch(status -> status.going().contains(uuid));
  }

  /** Tries to move a replica; says whether the DataNodes did it. */
  static boolean tryMove(ClusterFixture fixture, BlockIdentity block, int from, int to)
      throws IOException {
    DataNode target = fixture.hdfs.dataNode(to);
    ExtendedBlock moved = known(fixture, block);
    DatanodeInfo source =
        new DatanodeInfoBuilder().setNodeID(fixture.hdfs.dataNode(from).getDatanodeId()).build();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.getXferPort()));
      var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      new Sender(out)
          .replaceBlock(
              moved,
              StorageType.DEFAULT,
              BlockTokenSecretManager.DUMMY_TOKEN,
              fixture.hdfs.uuid(from),
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
  static List<String> holders(ClusterFixture fixture, BlockIdentity block) throws IOException {
    return statuses(fixture, block)
        .flatMap(status -> status.replicas().stream())
        .filter(replica -> replica.live())
        .map(replica -> replica.node())
        .toList();
  }

  private static Stream<BlockStatus> statuses(ClusterFixture fixture, BlockIdentity block)
      throws IOException {
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(List.of(block.id())).stream()
          .flatMap(status -> status.members().stream())
          .filter(m -> !m.gone() && m.status().block().equals(block))
          .map(MemberStatus::status);
    }
  }
}
