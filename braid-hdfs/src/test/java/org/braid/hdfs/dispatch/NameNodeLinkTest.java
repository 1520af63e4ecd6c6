package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.FakeTicker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class NameNodeLinkTest {
  private final FakeTicker ticker = new FakeTicker();
  private final long begun = ticker.millis();
  private final List<Integer> called = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();

  /** How the NameNode at a port fails; the others answer. */
  private final Map<Integer, Supplier<IOException>> failures = new HashMap<>();

  private NameNodeLink link(int nameNodes) throws IOException {
    return link(nameNodes, conf(nameNodes));
  }

  private NameNodeLink link(int nameNodes, Configuration conf) throws IOException {
    return new NameNodeLink(uri(nameNodes), conf, (unused, address) -> stub(address), ticker);
  }

  private static URI uri(int nameNodes) {
    return URI.create(nameNodes == 1 ? "hdfs://127.0.0.1:1" : "hdfs://ns");
  }

  private static Configuration conf(int nameNodes) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "ns");
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= nameNodes; i++) {
      names.add("n" + i);
      conf.set("dfs.namenode.rpc-address.ns.n" + i, "127.0.0.1:" + i);
    }
    conf.set("dfs.ha.namenodes.ns", String.join(",", names));
    conf.set("dfs.client.failover.proxy.provider.ns", "any");
    conf.setInt("dfs.client.failover.max.attempts", 6);
    conf.setInt("dfs.client.failover.sleep.base.millis", 100);
    conf.setInt("dfs.client.failover.sleep.max.millis", 500);
    return conf;
  }

  private BraidNameNodePB stub(InetSocketAddress address) {
    return (BraidNameNodePB)
        Proxy.newProxyInstance(
            NameNodeLinkTest.class.getClassLoader(),
            new Class<?>[] {BraidNameNodePB.class},
            (proxy, method, arguments) -> {
              called.add(address.getPort());
              times.add(ticker.millis() - begun);
              Supplier<IOException> failure = failures.get(address.getPort());
              if (failure != null) {
                throw new ServiceException(failure.get());
              }
              return null;
            });
  }

  private static Rpc.Call<@Nullable Void> any(BraidNameNodePB stub) {
    return () -> {
      stub.renew(null, null);
      return null;
    };
  }

  @Test
  void theActiveOneOfTwoIsFoundAtOnceAndKept() throws Exception {
    failures.put(1, () -> new StandbyException("standby"));
    NameNodeLink link = link(2);
    link.ask(NameNodeLinkTest::any);
    link.tell(NameNodeLinkTest::any);
    assertEquals(List.of(1, 2, 2), called);
    assertEquals(0, ticker.millis() - begun);
    assertEquals(2, link.address().getPort());
  }

  @Test
  void whileNoneIsActiveTheyAreAskedInTurnsAndLessAndLessOften() throws Exception {
    failures.put(1, () -> new StandbyException("standby"));
    failures.put(2, () -> new ConnectException("refused"));
    assertThrows(StandbyException.class, () -> link(2).tell(NameNodeLinkTest::any));
    assertEquals(List.of(1, 2, 1, 2, 1, 2, 1), called);
    assertEquals(List.of(0L, 0L, 100L, 300L, 700L, 1200L, 1700L), times);
  }

  /** The active one may be the last of them: behind a standby and an observer, for example. */
  @Test
  void whoIsInAHurryAsksEachOfThreeOnce() throws Exception {
    failures.put(1, () -> new StandbyException("standby"));
    failures.put(2, () -> new StandbyException("observer"));
    link(3, NameNodeLink.once(uri(3), conf(3))).ask(NameNodeLinkTest::any);
    assertEquals(List.of(1, 2, 3), called);
    called.clear();
    failures.put(3, () -> new StandbyException("standby"));
    NameNodeLink none = link(3, NameNodeLink.once(uri(3), conf(3)));
    assertThrows(StandbyException.class, () -> none.ask(NameNodeLinkTest::any));
    assertEquals(List.of(1, 2, 3), called);
    assertEquals(0, ticker.millis() - begun);
  }

  @Test
  void aQuestionIsRepeatedOnceOverANewConnectionAnOrderIsNot() throws Exception {
    failures.put(1, () -> new EOFException("closed"));
    assertThrows(EOFException.class, () -> link(1).ask(NameNodeLinkTest::any));
    assertEquals(List.of(1, 1), called);
    called.clear();
    assertThrows(EOFException.class, () -> link(1).tell(NameNodeLinkTest::any));
    assertEquals(List.of(1), called);
  }

  @Test
  void anOrderThatMayHaveBeenHeardIsNotGivenToAnother() throws Exception {
    failures.put(1, () -> new EOFException("closed"));
    assertThrows(EOFException.class, () -> link(2).tell(NameNodeLinkTest::any));
    assertEquals(List.of(1), called);
    link(2).ask(NameNodeLinkTest::any);
    assertEquals(List.of(1, 1, 1, 2), called);
  }

  /** One that stands by gives orders alone: it must find the other NameNode, too. */
  @Test
  void theNextOrderGoesToAnotherWhenTheAnswerIsMissing() throws Exception {
    for (Supplier<IOException> silence :
        List.<Supplier<IOException>>of(
            () -> new SocketTimeoutException("no answer"),
            () -> new SocketException("reset"),
            () -> new EOFException("closed"))) {
      called.clear();
      failures.put(1, silence);
      NameNodeLink link = link(2);
      assertThrows(IOException.class, () -> link.tell(NameNodeLinkTest::any));
      link.tell(NameNodeLinkTest::any);
      assertEquals(List.of(1, 2), called);
    }
  }

  @Test
  void anOrderToAHostThatIsGoneIsGivenToAnother() throws Exception {
    for (Supplier<IOException> gone :
        List.<Supplier<IOException>>of(
            () -> new ConnectTimeoutException("20000 millis"),
            () -> new NoRouteToHostException("no route"))) {
      called.clear();
      failures.put(1, gone);
      link(2).tell(NameNodeLinkTest::any);
      assertEquals(List.of(1, 2), called);
    }
  }

  @Test
  void whatIsRefusedIsNotRepeated() throws Exception {
    failures.put(1, () -> new IOException("no such stripe"));
    IOException refused = assertThrows(IOException.class, () -> link(2).ask(NameNodeLinkTest::any));
    assertEquals("no such stripe", refused.getMessage());
    assertEquals(List.of(1), called);
  }

  /** A NameNode that answers many of the same user's questions is asked again, not for ever. */
  @Test
  void aBusyOneIsAskedAgainLessAndLessOften() throws Exception {
    int[] refusals = {3};
    failures.put(
        1,
        () -> {
          if (--refusals[0] == 0) {
            failures.remove(1);
          }
          return new RetriableException("busy");
        });
    link(1).ask(NameNodeLinkTest::any);
    assertEquals(List.of(0L, 10L, 30L, 70L), times);
    failures.put(1, () -> new RetriableException("busy"));
    called.clear();
    assertThrows(RetriableException.class, () -> link(1).ask(NameNodeLinkTest::any));
    assertEquals(9, called.size());
  }

  @Test
  void oneThatDoesNotKnowBraidIsPassedOver() throws Exception {
    failures.put(1, () -> new RpcNoSuchProtocolException("unknown"));
    NameNodeLink link = link(2);
    link.ask(NameNodeLinkTest::any);
    link.tell(NameNodeLinkTest::any);
    assertEquals(List.of(1, 2, 2), called);
    assertEquals(0, ticker.millis() - begun);
  }

  @Test
  void whereTheActiveOneDoesNotKnowBraidNobodyWaits() throws Exception {
    failures.put(1, () -> new RpcNoSuchProtocolException("unknown"));
    assertThrows(RpcNoSuchProtocolException.class, () -> link(1).ask(NameNodeLinkTest::any));
    assertEquals(List.of(1), called);
    called.clear();
    failures.put(2, () -> new StandbyException("standby"));
    assertThrows(RpcNoSuchProtocolException.class, () -> link(2).ask(NameNodeLinkTest::any));
    assertEquals(List.of(1, 2, 1), called);
    called.clear();
    failures.put(2, () -> new RpcNoSuchProtocolException("unknown"));
    assertThrows(RpcNoSuchProtocolException.class, () -> link(2).tell(NameNodeLinkTest::any));
    assertEquals(List.of(1, 2, 1), called);
    assertEquals(0, ticker.millis() - begun);
  }

  /** As while the host of one is made anew, where names come and go with hosts. */
  @Test
  void aNameNodeWhoseNameIsNotFoundIsPassedOver() throws Exception {
    failures.put(1, () -> new UnknownHostException("n1"));
    link(2).ask(NameNodeLinkTest::any);
    link(2).tell(NameNodeLinkTest::any);
    assertEquals(List.of(1, 2, 1, 2), called);
    called.clear();
    failures.put(2, () -> new UnknownHostException("n2"));
    assertThrows(UnknownHostException.class, () -> link(2).ask(NameNodeLinkTest::any));
    assertEquals(List.of(1, 2), called, "all names are wrong");
  }

  /** A job that reads through a router has tokens of the name services behind it, and no ticket. */
  @Test
  void aNameServicesTokenIsShownToEachOfItsNameNodes() throws Exception {
    UserGroupInformation user = job();
    UserCalls.runAs(user, () -> link(2)).close();
    for (int port = 1; port <= 2; port++) {
      assertNotNull(token(user, port));
    }
    assertEquals(1, user.getCredentials().numberOfTokens(), "what its own jobs inherit");
  }

  @Test
  void aTokenIsShownToThoseWhoseNamesAreFound() throws Exception {
    Configuration conf = conf(3);
    // No name is so long: no name server is asked for it.
    conf.set("dfs.namenode.rpc-address.ns.n2", "n".repeat(64) + ":2");
    UserGroupInformation user = job();
    UserCalls.runAs(user, () -> link(3, conf)).close();
    assertNotNull(token(user, 1));
    assertNotNull(token(user, 3));
  }

  private static UserGroupInformation job() {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("job");
    user.addToken(
        new Token<DelegationTokenIdentifier>(
            new byte[] {1},
            new byte[] {2},
            DelegationTokenIdentifier.HDFS_DELEGATION_KIND,
            new Text("ha-hdfs:ns")));
    return user;
  }

  private static @Nullable Token<DelegationTokenIdentifier> token(
      UserGroupInformation user, int port) {
    return new DelegationTokenSelector()
        .selectToken(new Text("127.0.0.1:" + port), user.getTokens());
  }
}
