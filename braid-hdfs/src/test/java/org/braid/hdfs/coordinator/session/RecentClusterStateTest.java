package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.RecentClusterState.Kind;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecentClusterStateTest {
  private final FakeTicker ticker = new FakeTicker();
  private final FakeCluster cluster = new FakeCluster(2, 1);
  private long takes;
  private long back = Long.MAX_VALUE;
  private int looks;
  private int judgements;
  private final List<Kind> kinds = new ArrayList<>();
  private final RecentClusterState recent =
      new RecentClusterState(
          kind -> {
            kinds.add(kind);
            looks++;
            ticker.pass(takes);
            if (ticker.millis() >= back) {
              cluster.revive("r0n0");
            }
            return cluster.look();
          },
          ticker);

  @Test
  void aLookIsSharedForASecond() throws Exception {
    ClusterState first = recent.recent();
    ticker.pass(1000);
    assertSame(first, recent.recent());
    assertSame(first, recent.forAttempt(0));
    ticker.pass(1);
    assertNotSame(first, recent.recent());
    ClusterState fresh = recent.forAttempt(1);
    assertEquals(3, looks);
    assertSame(fresh, recent.recent());
    assertSame(recent.withCaches(), recent.recent());
  }

  /** Else stripes would be repaired one after the other while a node does not answer. */
  @Test
  void aLookThatTookLongIsSharedForLonger() throws Exception {
    takes = 2000;
    for (int i = 0; i < 80; i++) {
      recent.recent();
      ticker.pass(100);
    }
    assertEquals(1, looks);
    ticker.pass(100);
    recent.recent();
    assertEquals(2, looks);
  }

  /** On hosts with too much to do, a node answers late. */
  @Test
  void nodesThatAreSilentForAMomentAreWaitedFor() throws Exception {
    cluster.silence("r0n0");
    back = ticker.millis() + 3000;
    assertEquals(2, recent.settled().eligible().size());
    assertEquals(Kind.QUICK, kinds.get(0));
    assertEquals(Kind.PATIENT, kinds.get(1));
  }

  @Test
  void aNodeThatNeverAnswersIsNotWaitedForWithoutEnd() throws Exception {
    cluster.silence("r0n0");
    long since = ticker.millis();
    ClusterState state = recent.settled();
    assertEquals(1, state.eligible().size());
    assertEquals(30_000, ticker.millis() - since);
    assertSame(state, recent.settled(state, seen -> false));
    back = ticker.millis();
    assertEquals(2, recent.now().eligible().size());
    cluster.silence("r0n0");
    back = ticker.millis() + 1000;
    assertEquals(2, recent.settled().eligible().size());
    assertEquals("; believed in by the NameNode but silent: r0n0", state.silentNodes());
  }

  @Test
  void stoppedNodesAndThoseWithoutPluginAreNotWaitedFor() throws Exception {
    cluster.silence("r0n0");
    cluster.heardOf("r0n0", 6000);
    cluster.unplug("r1n0");
    assertEquals(0, recent.settled().eligible().size());
    assertEquals(1, looks);
  }

  /** On hosts with too much to do, a worker answers late: what it has is not lost. */
  @Test
  void nodesThatAreLateAreAskedOnceMoreWithMoreTime() throws Exception {
    cluster.delay("r0n0");
    ClusterState seen = recent.withCaches();
    assertEquals(List.of("r0n0"), seen.late());
    back = ticker.millis();
    ClusterState state = recent.patiently(seen);
    assertEquals(2, state.eligible().size());
    assertEquals(List.of(Kind.WITH_CACHES, Kind.PATIENT), kinds);
    assertSame(state, recent.patiently(state));
    assertSame(state, recent.recent());
  }

  @Test
  void aNodeThatHangsIsAskedOnceMoreAndNotAgainUntilItHasAnswered() throws Exception {
    cluster.delay("r0n0");
    takes = 2000;
    ClusterState seen = recent.now();
    takes = 8000;
    ClusterState state = recent.patiently(seen);
    assertEquals(1, state.eligible().size());
    takes = 2000;
    assertSame(state, recent.patiently(state));
    ticker.pass(8001); // what was seen with patience is shared no longer than other looks
    ClusterState again = recent.recent();
    assertNotSame(state, again);
    assertSame(again, recent.patiently(again));
    assertEquals(List.of(Kind.QUICK, Kind.PATIENT, Kind.QUICK), kinds);
    back = ticker.millis();
    recent.now();
    cluster.delay("r0n0");
    assertEquals(2, recent.patiently(recent.now()).eligible().size());
  }

  /** Else a repair that begins two seconds later finds the node silent, and fails. */
  @Test
  void whatALateNodeToldIsSharedAsLongAsTheLookThatItMissed() throws Exception {
    cluster.delay("r0n0");
    takes = 2000;
    ClusterState seen = recent.now();
    back = ticker.millis();
    takes = 3000;
    ClusterState state = recent.patiently(seen);
    assertEquals(2, state.eligible().size());
    cluster.delay("r0n0");
    back = Long.MAX_VALUE;
    ticker.pass(8000);
    assertSame(state, recent.recent());
    ticker.pass(1);
    assertEquals(1, recent.recent().eligible().size());
  }

  @Test
  void nodesThatRefuseOrOfWhichTheNameNodeDoesNotHearAreNotAskedAgain() throws Exception {
    cluster.silence("r0n0");
    cluster.delay("r1n0");
    cluster.suspect("r1n0");
    ClusterState seen = recent.now();
    assertEquals(List.of(), seen.late());
    assertSame(seen, recent.patiently(seen));
    assertEquals(1, looks);
  }

  /** Also where a block has no replica that can be read: that is no refusal for lack of nodes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatFailsWhileNodesAreSilentForAMomentIsDecidedOnceMore(boolean refuses) throws Exception {
    cluster.silence("r0n0");
    back = ticker.millis() + 3000;
    int nodes = recent.decided(recent.now(), state -> decided(state, refuses));
    assertEquals(2, nodes);
    cluster.silence("r0n0");
    cluster.heardOf("r0n0", 6000);
    back = Long.MAX_VALUE;
    looks = 0;
    ClusterState seen = recent.now();
    IOException e =
        assertThrows(
            IOException.class, () -> recent.decided(seen, state -> decided(state, refuses)));
    assertEquals("1 of 2 nodes", e.getMessage());
    assertEquals(1, looks);
  }

  /** Monitoring is not to be told that files are lost because hosts had much to do. */
  @Test
  void badNewsIsToldWhenSilentNodesHadTimeToAnswer() throws Exception {
    cluster.silence("r0n0");
    back = ticker.millis() + 3000;
    assertEquals(2, judged(2));
    cluster.silence("r0n0");
    back = ticker.millis() + 3000;
    looks = 0;
    assertEquals(1, judged(1));
    assertEquals(1, looks, "one is enough");
    cluster.heardOf("r0n0", 6000);
    back = Long.MAX_VALUE;
    looks = 0;
    judgements = 0;
    assertEquals(1, judged(2));
    assertEquals(1, looks, "it has stopped");
    assertEquals(1, judgements, "nothing new was seen");
    cluster.heardOf("r0n0", 0);
    judgements = 0;
    assertEquals(1, judged(2));
    assertEquals(1, judgements, "it was waited for in vain");
  }

  /** Its DataNode tells the NameNode that it is well, and its worker never answers anybody. */
  @Test
  void badNewsWaitsForAWorkerThatHangsNoLongerThanOnePatientLook() throws Exception {
    cluster.silence("r0n0");
    ClusterState seen = recent.now();
    takes = 8000;
    long since = ticker.millis();
    assertEquals(1, (int) recent.judged(seen, state -> state.eligible().size(), n -> n < 2));
    assertEquals(8500, ticker.millis() - since);
    assertEquals(List.of(Kind.PATIENT), kinds.subList(1, kinds.size()));
    takes = 0;
    since = ticker.millis();
    recent.settled(recent.now(), state -> false);
    assertEquals(30_000, ticker.millis() - since, "what is decided once waits as before");
  }

  /** The nodes that answer, where fewer than some are bad news. */
  private int judged(int enough) throws IOException {
    Integer nodes =
        recent.judged(
            recent.now(),
            state -> {
              judgements++;
              return state.eligible().size();
            },
            found -> found < enough);
    return nodes;
  }

  private static int decided(ClusterState state, boolean refuses) throws IOException {
    int nodes = state.eligible().size();
    if (nodes < 2) {
      String reason = nodes + " of 2 nodes";
      throw refuses ? new RefusedException(reason) : new IOException(reason);
    }
    return nodes;
  }

  @Test
  void nodesThatAreNotNeededAreNotWaitedFor() throws Exception {
    cluster.silence("r0n0");
    cluster.silence("r1n0");
    back = ticker.millis() + 3000;
    ClusterState state =
        recent.settled(recent.now(), seen -> seen.answers(seen.indexOf("r0n0").orElseThrow()));
    assertEquals(1, state.eligible().size());
    int before = looks;
    assertSame(state, recent.settled(state, seen -> true));
    assertEquals(before, looks);
  }
}
