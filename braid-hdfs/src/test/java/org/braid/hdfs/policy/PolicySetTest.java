package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicySetTest {
  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
  private static final int HOURS = 24;
  private static final List<Action> ACTIONS =
      List.of(Action.CONVERT, Action.RESTORE, Action.LEAVE, Action.CONVERT, Action.RESTORE);
  private final Random random = Seeds.random(PolicySetTest.class);

  private static Policy policy(String name, Action action, String settings) {
    Map<String, String> map = new HashMap<>();
    for (String setting : settings.split(" ")) {
      map.put(setting.split("=")[0], setting.split("=", 2)[1]);
    }
    if (action == Action.CONVERT) {
      map.putIfAbsent("code", "rs-6-3");
    }
    return Policy.of(name, true, action, map);
  }

  private static FileFacts file(String path, long bytes, int modified, int accessed) {
    return new FileFacts(
        path,
        bytes,
        (int) (bytes / 10),
        "ann",
        EPOCH.minus(Duration.ofHours(modified)),
        Optional.of(EPOCH.minus(Duration.ofHours(accessed))),
        KnownReads.HDFS);
  }

  private static String refusal(Policy... policies) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> new PolicySet(List.of(policies)))
            .getMessage());
  }

  @Test
  void theFirstThatTakesAFileWins() {
    PolicySet set =
        new PolicySet(
            List.of(
                policy("keep", Action.LEAVE, "path=/logs/keep"),
                policy("big", Action.CONVERT, "path=/logs min-size=100 older-than=2d code=rs-10-4"),
                policy("any", Action.CONVERT, "path=/logs older-than=1d")));
    assertEquals("keep", set.taker(file("/logs/keep/f", 500, 99, 99), EPOCH).orElseThrow().name());
    assertEquals("big", set.taker(file("/logs/f", 500, 48, 1), EPOCH).orElseThrow().name());
    assertEquals("any", set.taker(file("/logs/f", 500, 47, 1), EPOCH).orElseThrow().name());
    assertEquals(Optional.empty(), set.taker(file("/other/f", 500, 99, 1), EPOCH));
    assertEquals(List.of("/logs"), set.roots());
  }

  @Test
  void explainsWhenAndWhyNot() {
    PolicySet set =
        new PolicySet(
            List.of(
                policy("small", Action.CONVERT, "path=/d max-size=10 unread-for=1h"),
                policy("cold", Action.CONVERT, "path=/d unread-for=30d older-than=20d")));
    FileVerdict later = set.explain(file("/d/f", 50, 24 * 25, 24 * 3), EPOCH);
    assertEquals("cold", later.policy().orElseThrow().name());
    assertEquals(Optional.of(EPOCH.plus(Duration.ofDays(27))), later.at());
    assertEquals("its size is 50, less than 11 is needed", later.passed().get(0).reason());
    FileVerdict never = set.explain(file("/x", 50, 1, 1), EPOCH);
    assertEquals(Optional.empty(), never.policy());
    assertEquals("its path does not match /d", never.passed().get(1).reason());
    FileFacts unread =
        new FileFacts(
            "/d/f",
            50,
            1,
            "ann",
            EPOCH.minus(Duration.ofDays(25)),
            Optional.empty(),
            KnownReads.NONE);
    String why = set.explain(unread, EPOCH).passed().get(1).reason();
    assertTrue(why.contains("dfs.namenode.accesstime.precision of the NameNode is 0"), why);
    Policy off = policy("off", Action.CONVERT, "path=/d").disable();
    assertEquals(
        "it is disabled",
        new PolicySet(List.of(off)).explain(unread, EPOCH).passed().get(0).reason());
  }

  @Test
  void policiesThatChaseAFileAreRefused() {
    Policy cold = policy("cold", Action.CONVERT, "path=/d/** unread-for=30d");
    Policy hot = policy("hot", Action.RESTORE, "path=/**/x read-within=20d");
    String message = refusal(hot, cold);
    assertTrue(
        message.startsWith("hot would restore files that cold converts (/**/x and /d/** overlap)"),
        message);
    assertEquals(message, refusal(cold, hot));
    // Touched files only, and long before they are cold.
    new PolicySet(List.of(cold, policy("hot", Action.RESTORE, "path=/** read-within=15d"))).roots();
    // What was modified was accessed.
    new PolicySet(List.of(cold, policy("hot", Action.RESTORE, "path=/** modified-within=15d")))
        .roots();
    // A read does not change when a file was modified.
    refusal(
        policy("old", Action.CONVERT, "path=/d older-than=30d"),
        policy("hot", Action.RESTORE, "path=/d read-within=1d"));
    // Restored for its age, although nobody touched it.
    refusal(
        policy("young", Action.CONVERT, "path=/d modified-within=30d"),
        policy("old", Action.RESTORE, "path=/d older-than=40d"));
    // The first hides the second.
    new PolicySet(List.of(policy("not", Action.RESTORE, "path=/d/a"), cold)).roots();
    refusal(cold, policy("not", Action.RESTORE, "path=/d/a"));
    // Nothing in common.
    new PolicySet(
            List.of(
                policy("a", Action.CONVERT, "path=/d unread-for=1d min-size=5"),
                policy("b", Action.RESTORE, "path=/d max-size=4"),
                policy("c", Action.RESTORE, "path=/e")))
        .roots();
    // A disabled one chases nobody until it is enabled.
    PolicySet set = new PolicySet(List.of(cold, hot.disable()));
    assertThrows(IllegalArgumentException.class, () -> set.changing("hot", Policy::enable));
    assertEquals("there is a policy cold already", refusal(cold, cold));
  }

  /** A policy in numbers, which decides plainly. */
  private record Plain(
      Action action, int dir, int minSize, int maxSize, int[] modified, int[] accessed) {
    boolean takes(int d, int bytes, int m, int a) {
      return (dir == 0 || dir == d)
          && bytes >= minSize
          && bytes <= maxSize
          && m >= modified[0]
          && m < modified[1]
          && a >= accessed[0]
          && a < accessed[1];
    }

    Policy policy(String name) {
      Map<String, String> map = new HashMap<>();
      map.put("path", dir == 0 ? "/**" : "/d" + dir);
      map.put("min-size", "" + minSize);
      map.put("max-size", "" + maxSize);
      ages(map, modified, "older-than", "modified-within");
      ages(map, accessed, "unread-for", "read-within");
      if (action == Action.CONVERT) {
        map.put("code", "rs-3-2");
      }
      return Policy.of(name, true, action, map);
    }

    private static void ages(Map<String, String> map, int[] ages, String least, String below) {
      if (ages[0] > 0) {
        map.put(least, ages[0] + "h");
      }
      if (ages[1] < 1000) {
        map.put(below, ages[1] + "h");
      }
    }
  }

  private int[] ages() {
    int least = random.nextInt(3) == 0 ? 1 + random.nextInt(HOURS) : 0;
    int below = random.nextInt(3) == 0 ? least + 1 + random.nextInt(HOURS) : 1000;
    return new int[] {least, below};
  }

  private Plain plain() {
    int least = random.nextInt(3);
    if (random.nextBoolean()) {
      // Hot or cold, as sensible policies are.
      boolean hot = random.nextBoolean();
      int[] all = {0, 1000};
      int[] ages =
          hot ? new int[] {0, 1 + random.nextInt(8)} : new int[] {1 + random.nextInt(HOURS), 1000};
      boolean reads = random.nextBoolean();
      return new Plain(
          hot ? Action.RESTORE : Action.CONVERT, 0, 0, 9, reads ? all : ages, reads ? ages : all);
    }
    return new Plain(
        ACTIONS.get(random.nextInt(ACTIONS.size())),
        random.nextInt(3),
        least,
        least + random.nextInt(3),
        ages(),
        ages());
  }

  private static Optional<Integer> taker(List<Plain> plains, int d, int bytes, int m, int a) {
    for (int i = 0; i < plains.size(); i++) {
      if (plains.get(i).takes(d, bytes, m, a)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /**
   * Random policies on random files that age: who takes them, when, and that no file is restored
   * after it was converted, nor converted sooner after it was hot than it was hot.
   */
  @Test
  void randomPoliciesDecideAsPlainOnesAndChaseNoFile() {
    int accepted = 0;
    int both = 0;
    while (accepted < 300) {
      List<Plain> plains = new ArrayList<>();
      List<Policy> policies = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        plains.add(plain());
        policies.add(plains.get(plains.size() - 1).policy("p" + plains.size()));
      }
      PolicySet set;
      try {
        set = new PolicySet(policies);
      } catch (IllegalArgumentException e) {
        continue;
      }
      accepted++;
      for (int round = 0; round < 10; round++) {
        both += age(set, plains);
      }
    }
    assertTrue(both > 0, "no file was ever hot and then cold");
  }

  private int age(PolicySet set, List<Plain> plains) {
    int d = 1 + random.nextInt(2);
    int bytes = random.nextInt(5);
    int m = random.nextInt(2 * HOURS);
    int a = random.nextInt(m + 1);
    FileFacts file = file("/d" + d + "/f", bytes, m, a);
    boolean converted = false;
    int cooled = -1;
    int hot = 0;
    Optional<Integer> first = Optional.empty();
    int firstAt = 0;
    for (int hour = 0; hour < 5 * HOURS; hour++) {
      Optional<Integer> expected = taker(plains, d, bytes, m + hour, a + hour);
      Instant now = EPOCH.plus(Duration.ofHours(hour));
      assertEquals(
          expected.map(i -> "p" + (i + 1)),
          set.taker(file, now).map(Policy::name),
          () -> set.policies() + " and " + file);
      if (expected.isPresent() && first.isEmpty()) {
        first = expected;
        firstAt = hour;
      }
      Optional<Action> action = expected.map(i -> plains.get(i).action());
      if (action.equals(Optional.of(Action.RESTORE))) {
        assertTrue(!converted, () -> set.policies() + " chase " + file);
        cooled = hour;
        hot++;
      } else if (action.equals(Optional.of(Action.CONVERT))) {
        if (cooled >= 0 && !converted) {
          int replicated = hour - cooled - 1;
          int warm = hot;
          assertTrue(replicated >= warm, () -> set.policies() + " flap " + file);
        }
        converted = true;
      }
    }
    FileVerdict verdict = set.explain(file, EPOCH);
    assertEquals(first.map(i -> "p" + (i + 1)), verdict.policy().map(Policy::name));
    assertEquals(
        first.isPresent() && firstAt > 0
            ? Optional.of(EPOCH.plus(Duration.ofHours(firstAt)))
            : Optional.empty(),
        verdict.at());
    return converted && cooled >= 0 ? 1 : 0;
  }

  @Test
  void ordersPolicies() {
    PolicySet set =
        PolicySet.NONE
            .with(policy("a", Action.CONVERT, "path=/a"), OptionalInt.empty())
            .with(policy("b", Action.CONVERT, "path=/b"), OptionalInt.of(0))
            .with(policy("c", Action.CONVERT, "path=/b/c"), OptionalInt.of(7));
    assertEquals(List.of("b", "a", "c"), set.policies().stream().map(Policy::name).toList());
    assertEquals(List.of("/a", "/b"), set.roots());
    assertEquals(2, set.without("a").policies().size());
    assertThrows(IllegalArgumentException.class, () -> set.without("x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CONVERT|owner=ann|path is missing",
        "CONVERT|path=/a code=rs-0-1|rs-0-1",
        "CONVERT|path=/a code=nonsense|nonsense",
        "CONVERT|path=/a code=|''",
        "CONVERT|path=/a older-than=-3d|older-than: \"-3d\" is not a time",
        "CONVERT|path=/a older-than=3|older-than: \"3\" is not a time",
        "CONVERT|path=/a older-than=3w|is not a time",
        "CONVERT|path=/a older-than=999999999999999d|is too large",
        "CONVERT|path=/a min-size=5x|min-size: \"5x\" is not a size",
        "CONVERT|path=/a min-size=5 max-size=4|no file has both",
        "CONVERT|path=/a unread-for=2d read-within=1d|no file has both",
        "RESTORE|path=/a read-within=0s|read-within 0s takes no file: a time above 0 is needed",
        "RESTORE|path=/a modified-within=0d|modified-within 0d takes no file: a time above 0",
        "CONVERT|path=/a owner=ann,,bob|is not a list of users",
        "CONVERT|path=/a zone=UTC|zone is for a window",
        "CONVERT|path=/a window=6-7|is not from-to",
        "CONVERT|path=/a placement=moon|placement \"moon\" is not known: racks, even, code-aware",
        "CONVERT|path=/a placement=even target-racks=3|leave out target-racks",
        "CONVERT|path=/a parity-copies=4|needed are 1 to 3",
        "CONVERT|path=/a target-racks=0|is not a number of at least 1",
        "CONVERT|path=/a colour=red|setting \"colour\" is not known",
        "RESTORE|path=/a code=rs-6-3|code is for policies that convert",
        "LEAVE|path=/a window=22:00-06:00|leave does nothing"
      })
  void refusesWhatIsNoPolicy(Action action, String settings, String why) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> policy("x", action, settings))
                .getMessage());
    assertTrue(message.contains(why), message);
  }

  @Test
  void refusesNames() {
    for (String name : List.of("", "A", "a b", "-a", "a/b", "a".repeat(41))) {
      assertThrows(
          IllegalArgumentException.class, () -> policy(name, Action.LEAVE, "path=/a"), name);
    }
  }
}
