package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Action;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Block;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Candidate;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Choice;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Node;
import org.junit.jupiter.api.Test;

final class ReplicaChoiceTest {
  private static final long EXPIRY = 630_000;

  private static Candidate on(String uuid, long silence) {
    return new Candidate(uuid, "127.0.0.1", 1, silence, true, true);
  }

  private static Candidate silent(String uuid) {
    return new Candidate(uuid, "127.0.0.1", 1, 9000, false, true);
  }

  private static Candidate misplaced(String uuid) {
    return new Candidate(uuid, "127.0.0.1", 1, 0, true, false);
  }

  private static Choice choice(boolean homeAbsent, Candidate... good) {
    return ReplicaChoice.of(new Block("home", null, homeAbsent, false, List.of(good)));
  }

  private static void assertVerifies(Choice choice, String... uuids) {
    assertEquals(Action.VERIFY, choice.action());
    assertEquals(Arrays.asList(uuids), choice.replicas().stream().map(Candidate::uuid).toList());
  }

  @Test
  void theOnlyReplicaAtHomeIsLeftAlone() {
    assertEquals(Action.NONE, choice(false, on("home", 0)).action());
    assertEquals(Action.NONE, choice(true).action(), "lost, raised or gone");
    Block corrupt = new Block("home", null, false, true, List.of(on("home", 0)));
    assertVerifies(ReplicaChoice.of(corrupt), "home");
  }

  @Test
  void homeComesFirstAndThenWhoWasHeardOfLast() {
    assertVerifies(choice(false, on("a", 200), on("b", 100), on("home", 300)), "home", "b", "a");
  }

  @Test
  void aMoversCopyComesBeforeHomeWhereItIsReliableAndFits() {
    assertVerifies(moved(on("home", 0), on("b", 0), on("a", 900)), "a", "home", "b");
    assertVerifies(moved(on("home", 0), misplaced("a")), "home");
    assertVerifies(moved(on("home", 0), silent("a")), "home");
    assertEquals(Action.WAIT, moved(silent("home"), on("a", 0)).action());
    assertEquals(Action.NONE, moved(on("home", 0)).action(), "the copy went again");
  }

  private static Choice moved(Candidate... good) {
    return ReplicaChoice.of(new Block("home", "a", false, false, List.of(good)));
  }

  /** As after a node was silent for seconds: its copy may be the better one. */
  @Test
  void allStayWhileHomeIsSilent() {
    assertEquals(Action.WAIT, choice(false, silent("home"), on("a", 0)).action());
    assertEquals(Action.WAIT, choice(true, silent("home"), on("a", 0)).action());
  }

  /** As after a restart: the home has yet to report its blocks. */
  @Test
  void allStayUntilHomeIsKnownToHaveNone() {
    assertEquals(Action.WAIT, choice(false, on("a", 0), on("b", 0)).action());
    assertEquals(Action.WAIT, choice(false, on("a", 0)).action());
    assertVerifies(choice(true, on("a", 0)), "a");
  }

  @Test
  void onlyReliableReplicasInTheirPlaceStay() {
    assertVerifies(choice(true, silent("a"), misplaced("b"), on("c", 50)), "c");
    assertVerifies(choice(true, misplaced("b")));
    assertVerifies(choice(false, on("home", 0), silent("a")), "home");
  }

  @Test
  void aHomeIsAbsentWhenItIsDeadOrHasReportedOrNeverCame() {
    assertTrue(ReplicaChoice.isAbsent(new Node(false, false), 0, EXPIRY));
    assertTrue(ReplicaChoice.isAbsent(new Node(true, true), 0, EXPIRY));
    assertFalse(ReplicaChoice.isAbsent(new Node(true, false), 10 * EXPIRY, EXPIRY));
    assertFalse(ReplicaChoice.isAbsent(null, EXPIRY, EXPIRY));
    assertTrue(ReplicaChoice.isAbsent(null, EXPIRY + 1, EXPIRY));
  }
}
