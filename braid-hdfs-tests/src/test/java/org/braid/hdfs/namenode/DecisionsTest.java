package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.braid.hdfs.namenode.DecisionWorld.Decision;
import org.braid.hdfs.namenode.DecisionWorld.UserCall;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the NameNode decides (publish, trim, persist, protect, raise, sweep), in the order in which
 * coordinators propose it, beside everything that users do: each call of a user between each two
 * decisions, and long sequences at random, in which proposals come late, twice and out of order. At
 * every moment each block has two replicas, or a published stripe; soon after, a whole one. {@code
 * -Dbraid.decisions=N} runs so many sequences.
 */
final class DecisionsTest {
  private static final Random RANDOM = Seeds.random(DecisionsTest.class);
  private static final int SEQUENCES =
      Integer.getInteger("braid.decisions", Boolean.getBoolean("braid.long") ? 1000 : 40);
  private static final int LENGTH = 14;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(5, 5, Map.of());
  private static int number;

  private static Stream<UserCall> calls() {
    return Stream.of(UserCall.values());
  }

  /** Between each two decisions of a conversion and a restoration. */
  @ParameterizedTest
  @MethodSource("calls")
  void eachCallAtEachBoundary(UserCall call) throws Exception {
    int made = 0;
    for (int boundary = 0; boundary <= Decision.SCRIPT.size(); boundary++) {
      try (DecisionWorld world = new DecisionWorld(fixture, number++)) {
        for (int i = 0; i <= Decision.SCRIPT.size(); i++) {
          if (i == boundary) {
            made += world.make(call) ? 1 : 0;
            world.assertSafe();
          }
          if (i < Decision.SCRIPT.size()) {
            world.propose(Decision.SCRIPT.get(i));
            world.assertSafe();
          }
        }
      }
    }
    assertTrue(made > 0, call + " was refused at every boundary");
  }

  /** Proposals that come late, twice and out of order. */
  @Test
  void sequencesAtRandom() throws Exception {
    Map<UserCall, Integer> made = new EnumMap<>(UserCall.class);
    for (int i = 0; i < SEQUENCES; i++) {
      List<String> sequence = new ArrayList<>();
      try (DecisionWorld world = new DecisionWorld(fixture, number++)) {
        for (int j = 0; j < LENGTH; j++) {
          if (RANDOM.nextInt(3) == 0) {
            UserCall call = one(List.of(UserCall.values()));
            sequence.add(call.toString());
            made.merge(call, world.make(call) ? 1 : 0, Integer::sum);
          } else {
            Decision decision = one(List.of(Decision.values()));
            sequence.add(decision.toString());
            world.propose(decision);
          }
          world.assertSafe();
        }
      } catch (Exception | AssertionError e) {
        throw new AssertionError("sequence " + sequence, e);
      }
    }
    System.out.println("calls of users that were made: " + made);
  }

  private static <T> T one(List<T> list) {
    return list.get(RANDOM.nextInt(list.size()));
  }
}
