package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.proto.BraidProtos.TotalsRequestProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Damaged stripes and totals are told without a look at all stripes. */
final class DamagedStripesTest {
  private static final int STRIPES = 4;

  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));

  /** By id, as clients of earlier versions ask for them, in pages of one stripe. */
  private static List<String> damaged() throws Exception {
    List<String> byId = listed(StripesRequestProto.newBuilder());
    List<String> inOrder = inOrder();
    // Between the two calls something may have changed; whoever waits asks again.
    return Set.copyOf(inOrder).equals(Set.copyOf(byId)) ? byId : List.of("unequal");
  }

  private static List<String> inOrder() throws Exception {
    return listed(StripesRequestProto.newBuilder().setBehind(0));
  }

  private static List<String> listed(StripesRequestProto.Builder request) throws Exception {
    request.setDamaged(true).setLimit(1);
    List<String> ids = new ArrayList<>();
    StripesResponseProto page;
    do {
      page = Rpc.call(() -> fixture.stub.stripes(null, request.build()));
      for (StripeStatusProto status : page.getStripesList()) {
        ids.add(status.getStripe().getId());
      }
      request.setAfter(page.getLast());
      if (page.hasPlace()) {
        request.setBehind(page.getPlace());
      }
    } while (page.getMore());
    return ids;
  }

  /** How many blocks of each stripe that lost some are gone, in the order of repair. */
  private static List<Integer> lost(List<StripeProto> stripes, Set<String> silent)
      throws Exception {
    Map<String, Integer> lost = new HashMap<>();
    for (StripeProto stripe : stripes) {
      int count =
          (int) stripe.getMembersList().stream().filter(m -> silent.contains(m.getHome())).count();
      lost.put(stripe.getId(), count);
    }
    return inOrder().stream().map(lost::get).toList();
  }

  /** While HDFS takes a node for dead, its losses are not all seen for a moment. */
  private static void awaitWorstFirst(List<StripeProto> stripes, Set<String> silent)
      throws Exception {
    Await.until(
        "those that lost most to come first",
        () -> {
          List<Integer> lost = lost(stripes, silent);
          return !lost.isEmpty()
              && lost.get(0) == 2
              && lost.equals(lost.stream().sorted(Comparator.reverseOrder()).toList());
        });
  }

  private static Set<String> on(List<StripeProto> stripes, String uuid) {
    return stripes.stream()
        .filter(s -> s.getMembersList().stream().anyMatch(m -> m.getHome().equals(uuid)))
        .map(StripeProto::getId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static TotalsResponseProto totals() throws Exception {
    return Rpc.call(() -> fixture.stub.totals(null, TotalsRequestProto.getDefaultInstance()));
  }

  @Test
  void stripesAreToldWhileTheyAreDamaged() throws Exception {
    List<StripeProto> stripes = new ArrayList<>();
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(fixture.encode("/f" + i));
    }
    Await.until("nothing to be damaged", () -> damaged().isEmpty());
    assertEquals(STRIPES, totals().getCodes(0).getStripes());
    assertEquals(2 * STRIPES, totals().getCodes(0).getDataBlocks());
    assertEquals(STRIPES, totals().getCodes(0).getParityBlocks());
    assertEquals((long) STRIPES * NameNodeFixture.BLOCK, totals().getCodes(0).getParityBytes());

    MemberProto first = stripes.get(0).getMembers(0);
    int node = fixture.cluster.indexOf(first.getHome()).orElseThrow();
    Set<String> hit = on(stripes, first.getHome());
    fixture.cluster.stopNode(node);
    var descriptor = fixture.blocks().getDatanodeManager().getDatanode(first.getHome());
    // Before HDFS takes the node for dead, and afterwards.
    Await.until("its stripes to be told", () -> Set.copyOf(damaged()).equals(hit));
    assertFalse(ReplicaView.silence(descriptor) > 60_000);
    fixture.cluster.awaitDead(node);
    Await.untilEqual("the stripes told", List.copyOf(hit), DamagedStripesTest::damaged);

    // Whether HDFS has noticed a loss or only the node's silence shows, it counts.
    int other = fixture.cluster.indexOf(stripes.get(0).getMembers(1).getHome()).orElseThrow();
    Set<String> silent = Set.of(first.getHome(), fixture.cluster.uuid(other));
    fixture.cluster.stopNode(other);
    Set<String> both = new TreeSet<>(hit);
    both.addAll(on(stripes, fixture.cluster.uuid(other)));
    Await.until("their stripes to be told", () -> Set.copyOf(damaged()).equals(both));
    awaitWorstFirst(stripes, silent);
    fixture.cluster.awaitDead(other);
    awaitWorstFirst(stripes, silent);
    fixture.cluster.startNode(node);
    fixture.cluster.startNode(other);
    Await.until("nothing to be damaged", () -> damaged().isEmpty());

    int spare = 0;
    while (on(stripes.subList(0, 1), fixture.cluster.uuid(spare)).size() > 0) {
      spare++;
    }
    // None of the copies is as recorded, so that the guard keeps both.
    StripeProto.Builder wrong = stripes.get(0).toBuilder();
    wrong.getMembersBuilder(0).setCrc32C(~first.getCrc32C());
    fixture.put(BraidPaths.stripePath(wrong.getId()), wrong.build());
    fixture.addReplica(node, spare, StripeCodec.of(first.getBlock()));
    Await.until(
        "a block with two copies to be told", () -> damaged().equals(List.of(wrong.getId())));
    fixture.put(BraidPaths.stripePath(wrong.getId()), stripes.get(0));
    Await.until("nothing to be damaged", () -> damaged().isEmpty());

    for (int i = 0; i < STRIPES; i++) {
      fixture.fs.delete(new org.apache.hadoop.fs.Path("/f" + i), false);
    }
    fixture.sweep();
    assertEquals(0, totals().getCodesCount());
  }
}
