package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.braid.hdfs.namenode.host.Silence.Node;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Ten looks a second at all nodes: what they cost, and that they find what the plain rule finds.
 */
final class SilenceLookTest {
  /** The name of a node, which counts how often names are compared. */
  private static final class Name {
    private final int number;
    private final AtomicLong comparisons;

    Name(int number, AtomicLong comparisons) {
      this.number = number;
      this.comparisons = comparisons;
    }

    @Override
    public boolean equals(Object other) {
      comparisons.incrementAndGet();
      return other instanceof Name name && name.number == number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  private static List<Name> names(int nodes, AtomicLong comparisons) {
    return IntStream.range(0, nodes).mapToObj(i -> new Name(i, comparisons)).toList();
  }

  @Test
  void aLookComparesEachNodeWithFewOthers() {
    int nodes = 2000;
    AtomicLong comparisons = new AtomicLong();
    Silence.Watched<Name> watched = new Silence.Watched<>();
    names(nodes, comparisons).forEach(name -> watched.heard(name, 0));
    // Each look and each heartbeat has copies of the names.
    List<Name> registered = names(nodes, comparisons);
    List<Name> visited = new ArrayList<>();
    comparisons.set(0);
    watched.look(registered, Function.identity(), (name, state) -> visited.add(name));
    assertTrue(comparisons.get() <= 10L * nodes, comparisons + " comparisons of " + nodes);
    assertEquals(registered, visited);
  }

  /** The rule in its plainest words, which looks through all nodes for each. */
  private static final class Plain {
    private final Map<String, Long> heard = new HashMap<>();
    private final Map<String, Long> asked = new HashMap<>();
    private final Map<String, Integer> unheard = new HashMap<>();
    private final Set<String> suspects = new HashSet<>();
    private final List<String> questions = new ArrayList<>();
    private final Cluster cluster;

    Plain(Cluster cluster) {
      this.cluster = cluster;
    }

    void heard(String uuid) {
      asked.putIfAbsent(uuid, cluster.now - Silence.AGAIN_MILLIS);
      heard.put(uuid, cluster.now);
      unheard.put(uuid, 0);
      if (suspects.contains(uuid)) {
        ask(uuid);
      }
    }

    void look(List<Node> registered) {
      for (Node node : registered) {
        String uuid = node.uuid();
        if (!heard.containsKey(uuid)) {
          continue;
        }
        boolean quiet = cluster.now - heard.get(uuid) >= Silence.QUIET_MILLIS;
        boolean due = suspects.contains(uuid) || node.overdue();
        if (quiet || (due && cluster.now - asked.get(uuid) >= Silence.AGAIN_MILLIS)) {
          ask(uuid);
        }
      }
      for (String uuid : List.copyOf(heard.keySet())) {
        if (registered.stream().noneMatch(node -> node.uuid().equals(uuid))) {
          suspects.remove(uuid);
          forget(uuid);
        }
      }
    }

    private void ask(String uuid) {
      questions.add(uuid);
      asked.put(uuid, cluster.now);
      if (cluster.plain.contains(uuid)) {
        suspects.remove(uuid);
        forget(uuid);
      } else if (!cluster.answering.contains(uuid)) {
        suspects.add(uuid);
      } else {
        heard.put(uuid, cluster.now);
        if (!suspects.remove(uuid) && unheard.merge(uuid, 1, Integer::sum) == 30) {
          forget(uuid);
        }
      }
    }

    private void forget(String uuid) {
      heard.remove(uuid);
      asked.remove(uuid);
      unheard.remove(uuid);
    }
  }

  /** Nodes that answer or not, with Braid's plugin or without. */
  private static final class Cluster {
    private final Set<String> answering = new HashSet<>();
    private final Set<String> plain = new HashSet<>();
    private long now = 100_000;

    void ask(String uuid) throws IOException {
      if (plain.contains(uuid)) {
        throw new Silence.NoWorkerException(new IOException("unknown protocol"));
      }
      if (!answering.contains(uuid)) {
        throw new IOException("no answer");
      }
    }
  }

  @Test
  void anyLookFindsWhatThePlainRuleFinds() {
    Random random = Seeds.random(SilenceLookTest.class);
    int suspected = 0;
    for (int run = 0; run < 50; run++) {
      Cluster cluster = new Cluster();
      List<String> questions = new ArrayList<>();
      Silence silence =
          new Silence(
              () -> cluster.now,
              uuid -> {
                questions.add(uuid);
                cluster.ask(uuid);
              },
              Runnable::run);
      Plain plain = new Plain(cluster);
      List<String> uuids = IntStream.range(0, 12).mapToObj(i -> "uuid-" + i).toList();
      cluster.answering.addAll(uuids);
      Set<String> gone = new HashSet<>();
      for (int step = 0; step < 400; step++) {
        String uuid = uuids.get(random.nextInt(uuids.size()));
        switch (random.nextInt(8)) {
          case 0 -> toggle(cluster.answering, uuid);
          case 1 -> toggle(gone, uuid);
          case 2 -> {
            if (random.nextInt(10) == 0) {
              toggle(cluster.plain, uuid);
            }
          }
          default -> {
            silence.heard(uuid);
            plain.heard(uuid);
          }
        }
        cluster.now += random.nextInt(300);
        List<Node> registered = new ArrayList<>();
        for (String present : uuids) {
          if (!gone.contains(present)) {
            registered.add(new Node(present, random.nextInt(20) == 0));
          }
        }
        Collections.shuffle(registered, random);
        silence.look(registered);
        plain.look(registered);
        assertEquals(plain.questions, questions, "run " + run + ", step " + step);
        assertEquals(plain.suspects, silence.suspects(), "run " + run + ", step " + step);
        suspected += plain.suspects.size();
      }
    }
    assertTrue(suspected > 1000, "few nodes were suspect: " + suspected);
  }

  private static void toggle(Set<String> set, String element) {
    if (!set.remove(element)) {
      set.add(element);
    }
  }
}
