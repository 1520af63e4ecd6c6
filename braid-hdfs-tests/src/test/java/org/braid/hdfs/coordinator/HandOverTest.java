package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A NameNode that was active before, and is again, relies on nothing that it saw then. */
final class HandOverTest {
  private static final Random RANDOM = Seeds.random(HandOverTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(1, 3, 3, Map.of(), 2);

  /** What its holder has looked at, others have changed under leases of the other NameNode. */
  @Test
  void aLeaseOfBeforeAFailoverIsNotHeldAfterTheNextOne() throws Exception {
    try (NameNodeCalls calls = fixture.calls()) {
      String one = calls.leases().acquire("one").getLease();
      fixture.handOver();
      assertTrue(calls.leases().acquire("two").hasLease());
      fixture.handOver();
      assertFalse(calls.leases().renew(one, Optional.empty()));
      String three = calls.leases().acquire("three").getLease();
      assertTrue(calls.leases().renew(three, Optional.empty()));
      calls.leases().release(three, false);
    }
  }

  /** The other one may have dropped the copies meanwhile that it counted on. */
  @Test
  void aRemovalIsLookedAtAgainAfterAFailover() throws Exception {
    Path path = new Path("/between/f");
    fixture.write(path.toString(), ClusterFixture.BLOCK, 3, RANDOM);
    NameNode first = fixture.hdfs.nameNode();
    var forced = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);
    AtomicInteger made = new AtomicInteger();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.NAMENODE_REMOVE && made.incrementAndGet() == 1) {
            first.getRpcServer().transitionToStandby(forced);
            first.getRpcServer().transitionToActive(forced);
          }
        });
    try {
      assertTrue(fixture.fs.delete(path, false));
    } finally {
      InjectedFaults.clear();
    }
    assertEquals(2, made.get());
  }

  /** It knows the stripes of a while ago: whether parity may go, the active one alone says. */
  @Test
  void aStandbyHasClientsAskTheActiveNameNodeWhetherParityMayGo() throws Exception {
    fixture.write("/kept/f", 2 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-2-1", "/kept");
    NameNode standby =
        fixture.hdfs.nameNodes().stream()
            .filter(NameNode::isStandbyState)
            .findFirst()
            .orElseThrow();
    fixture.hdfs.nameNode().getRpcServer().rollEditLog();
    FSDirectory known = standby.getNamesystem().getFSDirectory();
    Await.until(
        "the standby to know parity",
        () -> known.unprotectedResolvePath(BraidPaths.STRIPES).getLastINode() != null);
    ClientProtocol calls =
        NameNodeProxies.createNonHAProxy(
                fixture.hdfs.configuration(),
                standby.getNameNodeAddress(),
                ClientProtocol.class,
                UserGroupInformation.getCurrentUser(),
                false)
            .getProxy();
    try {
      RemoteException refusal =
          assertThrows(RemoteException.class, () -> calls.delete(BraidPaths.STRIPES, true));
      assertEquals(StandbyException.class.getName(), refusal.getClassName());
    } finally {
      RPC.stopProxy(calls);
    }
  }
}
