package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.host.Silence;
import org.braid.hdfs.namenode.host.Silence.Node;
import org.junit.jupiter.api.Test;

final class SilenceTest {
  private final AtomicLong now = new AtomicLong(100_000);
  private final List<String> asked = new ArrayList<>();
  private final Set<String> answering = new HashSet<>();
  private final Set<String> plain = new HashSet<>();

  /** So many questions fail here, not at the node; and so many are not begun. */
  private int errors;

  private int withoutThreads;

  /** So long this process stands still in each question. */
  private long pause;

  private final Silence silence =
      new Silence(
          now::get,
          uuid -> {
            asked.add(uuid);
            now.addAndGet(pause);
            if (pause > 0) {
              throw new IOException("timed out");
            }
            if (errors-- > 0) {
              throw new OutOfMemoryError("in a test");
            }
            if (plain.contains(uuid)) {
              throw new Silence.NoWorkerException(new IOException("unknown protocol"));
            }
            if (!answering.contains(uuid)) {
              throw new IOException("no answer");
            }
          },
          task -> {
            if (withoutThreads-- > 0) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
          });

  private void look(long later, Node... nodes) {
    now.addAndGet(later);
    silence.look(List.of(nodes));
  }

  private static Node node(String uuid) {
    return new Node(uuid, false);
  }

  @Test
  void aNodeIsSuspectWithinTwoSecondsOnceItFallsSilent() {
    silence.heard("a");
    long last = now.get();
    while (!silence.isSuspect("a")) {
      look(100, node("a"));
    }
    long latest = now.get() - last + Silence.ANSWER_MILLIS;
    assertTrue(latest <= 2000, "suspect up to " + latest + " ms after its last heartbeat");
    assertEquals(Set.of("a"), silence.suspects());
    look(0);
    assertEquals(Set.of(), silence.suspects(), "it is not registered any more");
  }

  @Test
  void oneThatAnswersIsNotSuspectWhenHeartbeatsAreLost() {
    answering.add("a");
    silence.heard("a");
    for (int i = 0; i < 100; i++) {
      look(100, node("a"));
      assertFalse(silence.isSuspect("a"));
    }
    assertTrue(asked.size() > 5 && asked.size() < 15, asked.size() + " questions");
    // A port that lets no heartbeat pass is not asked round for ever.
    for (int i = 0; i < 1000; i++) {
      look(100, node("a"));
    }
    int questions = asked.size();
    answering.clear();
    look(10_000, node("a"));
    assertEquals(questions, asked.size());
    assertFalse(silence.isSuspect("a"));
  }

  /** As when its garbage is collected: all nodes have answered, and nobody took the answers. */
  @Test
  void aPauseOfTheNameNodeMakesNobodySuspect() {
    answering.add("a");
    silence.heard("a");
    pause = 5000;
    look(5000, node("a"));
    assertFalse(silence.isSuspect("a"));
    pause = 0;
    look(100, node("a"));
    assertFalse(silence.isSuspect("a"));
    assertEquals(2, asked.size());
    answering.clear();
    look(2000, node("a"));
    assertTrue(silence.isSuspect("a"));
  }

  /** As when each of many collections of garbage hits a question, and all nodes are well. */
  @Test
  void pausesThatHeartbeatsCameBetweenAreExcusedEachTime() {
    answering.add("a");
    for (int i = 0; i < 5; i++) {
      silence.heard("a");
      pause = 0;
      look(100, node("a"));
      pause = 5000;
      look(5000, node("a"));
      assertFalse(silence.isSuspect("a"), "pause " + i);
    }
    assertEquals(5, asked.size());
  }

  /** Heartbeats may be forged: those of a node that HDFS misses excuse nothing. */
  @Test
  void forgedHeartbeatsProlongNoPause() {
    silence.heard("a");
    pause = 700;
    for (int i = 0; i < 3; i++) {
      assertFalse(silence.isSuspect("a"));
      silence.heard("a");
      look(1000, new Node("a", true));
      silence.heard("a");
      look(100, new Node("a", true));
    }
    assertTrue(silence.isSuspect("a"));
  }

  /** Else a NameNode that is always short of processors would never notice. */
  @Test
  void pausesHideASilentNodeForAFewQuestionsOnly() {
    silence.heard("a");
    pause = 700;
    for (int i = 0; i < 3; i++) {
      assertFalse(silence.isSuspect("a"));
      look(2000, node("a"));
    }
    assertTrue(silence.isSuspect("a"));
  }

  @Test
  void oneThatNeverSentHeartbeatsIsLeftAlone() {
    look(60_000, node("old"));
    assertEquals(List.of(), asked);
    assertFalse(silence.isSuspect("old"));
  }

  @Test
  void oneThatComesBackWithoutThePluginIsTrustedAndLeftAlone() {
    silence.heard("a");
    look(2000, node("a"));
    assertTrue(silence.isSuspect("a"));
    plain.add("a");
    look(2000, node("a"));
    assertFalse(silence.isSuspect("a"), "it answers, as any DataNode without Braid would");
    int questions = asked.size();
    look(60_000, node("a"));
    assertEquals(questions, asked.size());
    plain.clear();
    silence.heard("a");
    look(2000, node("a"));
    assertTrue(silence.isSuspect("a"), "with the plugin it is watched again");
  }

  @Test
  void aForgedHeartbeatClearsNobody() {
    silence.heard("a");
    look(2000, node("a"));
    assertTrue(silence.isSuspect("a"));
    silence.heard("a");
    assertTrue(silence.isSuspect("a"), "only an answer clears it");
    answering.add("a");
    silence.heard("a");
    assertFalse(silence.isSuspect("a"));
  }

  @Test
  void forgedHeartbeatsHideAFailureOnlyUntilHdfsMissesTheNode() {
    silence.heard("a");
    for (int i = 0; i < 20; i++) {
      silence.heard("a");
      look(100, node("a"));
    }
    assertEquals(List.of(), asked, "as long as HDFS hears it, nobody asks");
    silence.heard("a");
    look(100, new Node("a", true));
    assertTrue(silence.isSuspect("a"));
  }

  /**
   * What the NameNode lacks for a moment makes nobody suspect, and keeps nobody from being asked.
   */
  @Test
  void whoCannotBeAskedForLackOfMemoryOrThreadsIsAskedSoon() {
    silence.heard("a");
    silence.heard("b");
    errors = 1;
    withoutThreads = 1;
    look(2000, node("a"), node("b"));
    assertEquals(1, asked.size(), "the other one is asked");
    assertEquals(Set.of(), silence.suspects());
    look(100, node("a"), node("b"));
    assertEquals(Set.of("a", "b"), silence.suspects());
  }
}
