package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.braid.hdfs.stripe.Datanode;
import org.braid.testing.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a reader of lost blocks asks a NameNode about its DataNodes. */
final class ClusterNodesTest {
  private static final Optional<String> RACK = Optional.of("/r0");

  private final Map<String, Datanode> registered = new LinkedHashMap<>();

  /** The UUIDs that questions named; an empty list is a question for all nodes. */
  private final List<List<String>> asked = new ArrayList<>();

  /** How many nodes were described in all answers. */
  private int told;

  /** Whether the NameNode tells of all nodes whoever is named. */
  private boolean old;

  private @Nullable IOException refusal;
  private long now;
  private final ClusterNodes nodes = new ClusterNodes(() -> now, this::answer);

  private ClusterNodes.Answer answer(List<String> uuids) throws IOException {
    asked.add(List.copyOf(uuids));
    if (refusal != null) {
      throw refusal;
    }
    boolean all = uuids.isEmpty() || old;
    List<Datanode> answer =
        (all ? registered.keySet() : uuids)
            .stream().filter(registered::containsKey).map(registered::get).toList();
    told += answer.size();
    return new ClusterNodes.Answer(answer, all ? RACK : Optional.empty());
  }

  private void register(int from, int to, boolean live) {
    uuids(from, to)
        .forEach(
            uuid ->
                registered.put(
                    uuid,
                    Datanode.builder(uuid)
                        .host(uuid)
                        .ip("127.0.0.1")
                        .ipcPort(1)
                        .transferPort(2)
                        .rack("/r0")
                        .remaining(1)
                        .live(live)
                        .build()));
  }

  private static List<String> uuids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "node-" + i).toList();
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private @Nullable Datanode node(int i) throws IOException {
    return nodes.with(uuids(i, i + 1)).byUuid().get("node-" + i);
  }

  private static boolean isLive(@Nullable Datanode node) {
    return node != null && node.live();
  }

  @Test
  void whoReadsForAMinuteIsToldOfAllNodesOnceAndOfTheStripesEachSecond() throws IOException {
    register(0, 10_000, true);
    for (int millis = 0; millis < 60_000; millis += 100) {
      StripeLookup.Cluster cluster = nodes.with(uuids(0, 20));
      assertEquals(10_000, cluster.byUuid().size());
      assertEquals(RACK, cluster.callerRack());
      pass(100);
    }
    assertTrue(told <= 10_000 + 60 * 20, told + " nodes were described");
    assertTrue(asked.size() <= 1 + 60 * 2, asked.size() + " questions");
    assertTrue(asked.stream().allMatch(uuids -> uuids.size() <= KnownNodes.AT_ONCE));
    pass(1001);
    nodes.with(List.of());
    assertEquals(List.of(), asked.get(asked.size() - 1), "all nodes after a minute");
  }

  @Test
  void aNodeThatIsReadFromIsKnownAsItWasASecondAgo() throws IOException {
    register(0, 100, true);
    assertTrue(isLive(node(7)));
    register(7, 9, false);
    pass(1001);
    assertFalse(isLive(node(7)));
    assertTrue(isLive(nodes.with(List.of()).byUuid().get("node-8")), "nobody reads from it");
    registered.remove("node-7");
    pass(1001);
    assertNull(node(7), "it is not registered any more");
    register(7, 8, true);
    pass(1001);
    assertTrue(isLive(node(7)));
  }

  @Test
  void aNodeThatJoinsIsFoundAndMakesTheListOutdated() throws IOException {
    register(0, 10, true);
    nodes.with(uuids(0, 3));
    register(10, 30, true);
    pass(1001);
    assertNotNull(node(10));
    pass(1001);
    assertEquals(30, nodes.with(uuids(0, 3)).byUuid().size());
    assertEquals(List.of(List.of(), uuids(10, 11), List.of()), asked);
    pass(1001);
    nodes.with(uuids(0, 3));
    assertEquals(uuids(0, 3), asked.get(3));
  }

  @Test
  void aNameNodeOfAnEarlierVersionTellsOfAllEachSecond() throws IOException {
    old = true;
    register(0, 100, true);
    for (int second = 0; second < 10; second++) {
      register(40, 41, second % 2 == 0);
      StripeLookup.Cluster cluster = nodes.with(uuids(30, 70));
      assertEquals(second % 2 == 0, isLive(cluster.byUuid().get("node-40")));
      assertEquals(100, cluster.byUuid().size());
      assertEquals(RACK, cluster.callerRack());
      pass(1001);
    }
    assertEquals(10, asked.size(), "questions");
  }

  @Test
  void whoReadsFromVeryManyIsToldOfAll() throws IOException {
    register(0, 1000, true);
    nodes.with(List.of());
    pass(1001);
    nodes.with(uuids(0, KnownNodes.MOST_NAMED));
    assertEquals(1 + KnownNodes.MOST_NAMED / KnownNodes.AT_ONCE, asked.size());
    pass(1001);
    nodes.with(uuids(0, KnownNodes.MOST_NAMED + 1));
    assertEquals(List.of(), asked.get(asked.size() - 1));
  }

  @Test
  void aClusterWithoutNodesIsAskedForOnceAndTellsOfThoseThatJoin() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertEquals(Map.of(), nodes.with(List.of()).byUuid());
      pass(1001);
    }
    assertEquals(1, asked.size());
    register(0, 10, true);
    assertNotNull(node(3));
    pass(1001);
    assertEquals(10, nodes.with(List.of()).byUuid().size());
  }

  @Test
  void whatAFailedQuestionAskedForIsAskedAgain() throws IOException {
    register(0, 10, true);
    refusal = new IOException("the NameNode is busy");
    for (int i = 0; i < 2; i++) {
      try {
        nodes.with(uuids(0, 3));
        throw new AssertionError("no answer came");
      } catch (IOException e) {
        assertEquals("the NameNode is busy", e.getMessage());
      }
    }
    refusal = null;
    assertEquals(10, nodes.with(uuids(0, 3)).byUuid().size());
    assertEquals(3, asked.size());
  }

  @Test
  void readersThatNeedAllNodesAtOnceAskOnce() throws Exception {
    register(0, 10, true);
    AtomicInteger lists = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(1);
    ClusterNodes shared =
        new ClusterNodes(
            () -> 0,
            uuids -> {
              lists.incrementAndGet();
              awaitOpen(answered);
              return new ClusterNodes.Answer(List.copyOf(registered.values()), RACK);
            });
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Thread> readers = Collections.synchronizedList(new ArrayList<>());
      List<Future<Integer>> sizes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        sizes.add(
            threads.submit(
                () -> {
                  readers.add(Thread.currentThread());
                  return shared.with(uuids(0, 3)).byUuid().size();
                }));
      }
      Await.until(
          "all readers to wait",
          () ->
              readers.size() == 4
                  && List.copyOf(readers).stream()
                      .allMatch(reader -> reader.getState() == Thread.State.WAITING));
      answered.countDown();
      for (Future<Integer> size : sizes) {
        assertEquals(10, size.get());
      }
      assertEquals(1, lists.get(), "lists of all nodes");
    } finally {
      answered.countDown();
      threads.shutdownNow();
    }
  }

  private static void awaitOpen(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
