package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.BraidWorkerService;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Kerberos and tokens keep out: HDFS and Braid answer alike. */
@Tag("kerberos")
final class SecureAttacksTest {
  private static final String FILE = "/attacked/f";

  private static SecureCluster cluster;
  private static Configuration conf;
  private static UserGroupInformation alice;
  private static UserGroupInformation eve;
  private static LocatedBlock block;
  private static DataNode node;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    conf = cluster.hdfs.configuration();
    alice = cluster.realm.user("alice");
    eve = cluster.realm.user("eve");
    cluster.convertSecret(alice, FILE, Seeds.random(SecureAttacksTest.class));
    node = cluster.hdfs.dataNode(cluster.nodeOf(FILE));
    block = located(alice);
  }

  private static LocatedBlock located(UserGroupInformation user) throws Exception {
    return SecureCluster.ask(
        user,
        () -> {
          try (DistributedFileSystem fs = cluster.plain();
              FSDataInputStream in = fs.open(new Path(FILE))) {
            return ((HdfsDataInputStream) in).getAllBlocks().get(0);
          }
        });
  }

  // ---- who attacks, and what is answered -----------------------------------------------------

  private static void hdfsOpens() throws IOException {
    Configuration once = new Configuration(conf);
    once.setBoolean("dfs.client.retry.policy.enabled", false);
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(once), once)) {
      fs.open(new Path(FILE)).close();
    }
  }

  private static BraidNameNodePB nameNode() throws IOException {
    return Rpc.nameNode(conf, cluster.hdfs.nameNode().getNameNodeAddress());
  }

  private static void braidAsks() throws IOException {
    StripesRequestProto request =
        StripesRequestProto.newBuilder()
            .addBlockIds(block.getBlock().getBlockId())
            .setReadingPath(FILE)
            .setWithTokens(true)
            .build();
    BraidNameNodePB stub = nameNode();
    try {
      Rpc.call(() -> stub.stripes(null, request));
    } finally {
      Rpc.stop(stub);
    }
  }

  /** HDFS's own call on a DataNode, with a token. */
  private static void hdfsLooksAtReplica(Token<BlockTokenIdentifier> token) throws Exception {
    LocatedBlock forged = located(alice);
    forged.setBlockToken(token);
    ClientDatanodeProtocol stub =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            node.getDatanodeId(), conf, 10_000, false, forged);
    try {
      stub.getReplicaVisibleLength(forged.getBlock());
    } finally {
      RPC.stopProxy(stub);
    }
  }

  private interface WorkerCall {
    void on(BraidWorkerPB worker) throws IOException;
  }

  private static void worker(InetSocketAddress address, WorkerCall call) throws IOException {
    BraidWorkerPB stub = Rpc.workers(conf).at(address.getHostString(), address.getPort(), "");
    try {
      call.on(stub);
    } finally {
      Rpc.stop(stub);
    }
  }

  private static InetSocketAddress workerAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), node.getIpcPort());
  }

  private static void pings(BraidWorkerPB worker) throws IOException {
    Rpc.call(() -> worker.ping(null, PingRequestProto.getDefaultInstance()));
  }

  /** Answers nothing. */
  private static BraidWorkerPB silent() {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            BraidWorkerPB.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class},
            (proxy, method, arguments) -> PingResponseProto.newBuilder().setUuid("x").build());
  }

  private static UserGroupInformation bearer(Token<BlockTokenIdentifier> token) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
    user.addToken(token);
    return user;
  }

  /** Why an attack is refused: the innermost reason, as the server gave it. */
  static Throwable refusal(UserGroupInformation user, SecureCluster.Action attack) {
    Throwable reason = assertThrows(Exception.class, () -> SecureCluster.as(user, attack));
    while (reason.getCause() != null && reason.getCause() != reason) {
      reason = reason.getCause();
    }
    return reason instanceof RemoteException remote ? remote.unwrapRemoteException() : reason;
  }

  private static void assertAlike(Throwable hdfs, Throwable braid, String message) {
    assertTrue(String.valueOf(hdfs.getMessage()).contains(message), "HDFS: " + hdfs);
    assertTrue(String.valueOf(braid.getMessage()).contains(message), "Braid: " + braid);
    assertEquals(hdfs.getClass(), braid.getClass());
  }

  // ---- attacks -------------------------------------------------------------------------------

  @Test
  void withoutTicketNobodyIsHeard() {
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("alice");
    Throwable hdfs = refusal(nobody, SecureAttacksTest::hdfsOpens);
    assertAlike(hdfs, refusal(nobody, SecureAttacksTest::braidAsks), "Client cannot authenticate");
    assertAlike(
        hdfs,
        refusal(nobody, () -> worker(workerAddress(), SecureAttacksTest::pings)),
        "Client cannot authenticate");
  }

  @Test
  void ticketOfAnotherUserOpensNothing() {
    assertAlike(
        refusal(eve, SecureAttacksTest::hdfsOpens),
        refusal(eve, SecureAttacksTest::braidAsks),
        "Permission denied: user=eve");
  }

  @Test
  void ticketOfAUserDoesNotCoordinate() {
    Throwable refused =
        refusal(
            eve,
            () -> {
              BraidNameNodePB stub = nameNode();
              Rpc.call(
                  () ->
                      stub.acquire(null, AcquireRequestProto.newBuilder().setHolder("e").build()));
            });
    assertEquals(AccessControlException.class, refused.getClass());
    assertTrue(refused.getMessage().contains("user eve may not"), refused.getMessage());
  }

  @Test
  void serviceActsForNobodyElse() throws Exception {
    UserGroupInformation other =
        UserGroupInformation.createProxyUser("eve", cluster.realm.user(SecureCluster.PROXY));
    assertAlike(
        refusal(other, SecureAttacksTest::hdfsOpens),
        refusal(other, SecureAttacksTest::braidAsks),
        "is not allowed to impersonate eve");
  }

  @Test
  void cancelledDelegationTokenIsWorthNothing() throws Exception {
    UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
    SecureCluster.as(
        alice,
        () -> {
          try (DistributedFileSystem fs = cluster.plain()) {
            Token<?> token = fs.getDelegationToken("alice");
            task.addToken(token);
            token.cancel(conf);
          }
        });
    assertAlike(
        refusal(task, SecureAttacksTest::hdfsOpens),
        refusal(task, SecureAttacksTest::braidAsks),
        "can't be found in cache");
  }

  @Test
  void expiredDelegationTokenIsWorthNothing() throws Exception {
    UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
    Field renewal =
        AbstractDelegationTokenSecretManager.class.getDeclaredField("tokenRenewInterval");
    renewal.setAccessible(true);
    Method secrets = FSNamesystem.class.getDeclaredMethod("getDelegationTokenSecretManager");
    secrets.setAccessible(true);
    Object manager = secrets.invoke(cluster.hdfs.nameNode().getNamesystem());
    Object usual = renewal.get(manager);
    renewal.set(manager, -1L);
    try {
      SecureCluster.as(
          alice,
          () -> {
            try (DistributedFileSystem fs = cluster.plain()) {
              task.addToken(fs.getDelegationToken("alice"));
            }
          });
    } finally {
      renewal.set(manager, usual);
    }
    assertAlike(
        refusal(task, SecureAttacksTest::hdfsOpens),
        refusal(task, SecureAttacksTest::braidAsks),
        "has expired");
  }

  @Test
  void expiredTicketIsWorthNothing() throws Exception {
    UserGroupInformation late =
        UserGroupInformation.getUGIFromTicketCache(
            cluster.realm.expiredTicketCache("ops").toString(), null);
    assertAlike(
        refusal(late, SecureAttacksTest::hdfsOpens),
        refusal(late, SecureAttacksTest::braidAsks),
        "Client cannot authenticate");
  }

  @Test
  void forgedBlockTokenIsNoLogin() {
    Token<BlockTokenIdentifier> good = block.getBlockToken();
    byte[] password = good.getPassword().clone();
    password[0] ^= 1;
    Token<BlockTokenIdentifier> forged =
        new Token<>(good.getIdentifier(), password, good.getKind(), good.getService());
    assertAlike(
        refusal(eve, () -> hdfsLooksAtReplica(forged)),
        refusal(bearer(forged), () -> worker(workerAddress(), SecureAttacksTest::pings)),
        "DIGEST-MD5");
  }

  @Test
  void tokenOfAnotherBlockPoolIsNoLogin() throws Exception {
    BlockTokenSecretManager other =
        new BlockTokenSecretManager(600_000, 600_000, 0, 1, "BP-other", null, false);
    Token<BlockTokenIdentifier> foreign =
        other.generateToken(
            "alice",
            new ExtendedBlock("BP-other", block.getBlock().getBlockId()),
            EnumSet.of(AccessMode.READ),
            new StorageType[0],
            new String[0]);
    // HDFS knows no such pool and hangs up.
    assertEquals(
        refusal(eve, () -> hdfsLooksAtReplica(foreign)).getClass(),
        refusal(bearer(foreign), () -> worker(workerAddress(), SecureAttacksTest::pings))
            .getClass());
  }

  @Test
  void blockTokenOfASuperuserIsNoSuperuser() throws Exception {
    UserGroupInformation bearer = UserGroupInformation.createRemoteUser("ops");
    LocatedBlock granted = located(cluster.operator);
    bearer.addToken(granted.getBlockToken());
    VerifyRequestProto request =
        VerifyRequestProto.newBuilder()
            .setBlock(
                StripeCodec.toProto(
                    new BlockIdentity(
                        granted.getBlock().getBlockId(),
                        granted.getBlock().getGenerationStamp(),
                        granted.getBlock().getNumBytes())))
            .build();
    Throwable refused =
        refusal(
            bearer,
            () -> worker(workerAddress(), stub -> Rpc.call(() -> stub.verify(null, request))));
    assertEquals(AccessControlException.class, refused.getClass());
    assertTrue(refused.getMessage().contains("ops is no superuser"), refused.getMessage());
    SecureCluster.as(
        cluster.operator,
        () -> worker(workerAddress(), stub -> Rpc.call(() -> stub.verify(null, request))));
  }

  @Test
  void workerThatIsNoDataNodeIsNotTalkedTo() throws Exception {
    UserGroupInformation impostor = cluster.realm.user("impostor/" + Realm.HOST);
    RPC.Server server =
        SecureCluster.ask(
            impostor,
            () -> {
              Configuration own = new Configuration(conf);
              own.setBoolean("hadoop.security.authorization", false);
              RPC.setProtocolEngine(own, BraidWorkerPB.class, ProtobufRpcEngine2.class);
              RPC.Server made =
                  new RPC.Builder(own)
                      .setProtocol(BraidWorkerPB.class)
                      .setInstance(BraidWorkerService.newReflectiveBlockingService(silent()))
                      .setBindAddress("127.0.0.1")
                      .setPort(0)
                      .build();
              made.start();
              return made;
            });
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), server.getListenerAddress().getPort());
      Throwable refused =
          refusal(cluster.operator, () -> worker(address, SecureAttacksTest::pings));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("invalid Kerberos principal"),
          refused.toString());
      refusal(bearer(block.getBlockToken()), () -> worker(address, SecureAttacksTest::pings));
    } finally {
      server.stop();
    }
  }

  /** The first byte of an answer, -1 when the connection is closed or reset instead. */
  private static int answer(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  @Test
  void streamsAreNotGivenOutWithoutHandshake() throws Exception {
    int port =
        SecureCluster.ask(
            cluster.operator,
            () -> {
              int[] found = new int[1];
              worker(
                  workerAddress(),
                  stub ->
                      found[0] =
                          Rpc.call(() -> stub.ping(null, PingRequestProto.getDefaultInstance()))
                              .getStreamPort());
              return found[0];
            });
    for (int target : List.of(port, node.getXferPort())) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target)) {
        socket.setSoTimeout(20_000);
        StreamRequestProto.newBuilder()
            .setRun("x")
            .setStream(1)
            .build()
            .writeDelimitedTo(socket.getOutputStream());
        socket.shutdownOutput();
        assertEquals(-1, answer(socket), "port " + target);
      }
    }
  }
}
