package org.braid.testing;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers of tests. Each JVM has one seed, which it prints with the command that replays it:
 * the one that {@code -Dbraid.seed=N} gives; a fresh one by {@code -Dbraid.seed=fresh} and in the
 * long suite; else {@link #DEFAULT}, so that what a build finds follows from its commit alone. Each
 * test has numbers of its own, made from that seed and the test's name: a test draws the same
 * numbers whichever tests run with it.
 */
public final class Seeds {
  /** System property that gives the seed: a number, or {@value #FRESH}. */
  public static final String PROPERTY = "braid.seed";

  /** Asks for a fresh seed. */
  static final String FRESH = "fresh";

  /** The module whose own modules run tests with a Hadoop each, whose names are theirs. */
  private static final String OTHER_HADOOPS = "braid-hadoop";

  /** The seed of a build that names none. */
  static final long DEFAULT = 1;

  private static final Object LOCK = new Object();
  private static final long SEED = seed();

  /** Generators that fields hold, and whose they are: each test starts them anew. */
  private static final Map<Random, String> FIELDS = new WeakHashMap<>();

  private static @Nullable String test;
  private static int made;

  private Seeds() {}

  @SuppressWarnings("SystemOut") // the replay line belongs in the test's output
  private static long seed() {
    long seed = chosen(System.getProperty(PROPERTY), Boolean.getBoolean("braid.long"));
    System.out.println(
        "seed of all randomised tests in this JVM: " + seed + "; replay: " + command(seed));
    return seed;
  }

  /**
   * The seed of a JVM.
   *
   * @param asked what {@link #PROPERTY} says, if anything
   * @param longSuite whether the long suite runs
   * @throws IllegalArgumentException if it is neither a number nor {@value #FRESH}
   */
  static long chosen(@Nullable String asked, boolean longSuite) {
    if (FRESH.equals(asked) || (asked == null && longSuite)) {
      return new Random().nextInt(Integer.MAX_VALUE);
    }
    try {
      return asked == null ? DEFAULT : Long.parseLong(asked);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + "=" + asked + " is neither a number nor '" + FRESH + "'", e);
    }
  }

  private static String command(long seed) {
    return "mvn -B verify" + module(Path.of("").toAbsolutePath()) + " -D" + PROPERTY + "=" + seed;
  }

  /** The arguments that choose the module of a directory: Surefire starts tests in it. */
  static String module(Path directory) {
    String name = String.valueOf(directory.getFileName());
    String above = String.valueOf(directory.resolveSibling("").getFileName());
    if (above.equals(OTHER_HADOOPS)) {
      return " -pl " + above + "/" + name + " -am -Dbraid.hadoop=" + name;
    }
    return name.startsWith("braid-") ? " -pl " + name + " -am" : "";
  }

  /** The command that runs one test again, with the numbers that it draws in this JVM. */
  static String replay(Class<?> type, String method) {
    return command(SEED)
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dtest="
        + type.getSimpleName()
        + "#"
        + method;
  }

  /**
   * Makes a generator for a test class. One that a field holds starts anew with each test.
   *
   * @param owner the test class: generators of different classes differ
   */
  public static Random random(Class<?> owner) {
    synchronized (LOCK) {
      if (test != null) {
        return new Random(derived(test + " " + owner.getName() + " " + made++));
      }
      Random random = new Random(derived(owner.getName()));
      FIELDS.put(random, owner.getName());
      return random;
    }
  }

  /** A test begins; until it {@linkplain #end ends} all numbers follow from its name. */
  static void begin(String name) {
    synchronized (LOCK) {
      test = name;
      made = 0;
      FIELDS.forEach((random, owner) -> random.setSeed(derived(name + " " + owner)));
    }
  }

  static void end() {
    synchronized (LOCK) {
      test = null;
      FIELDS.forEach((random, owner) -> random.setSeed(derived(owner)));
    }
  }

  private static long derived(String name) {
    byte[] bytes = (SEED + " " + name).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(bytes).getMostSignificantBits();
  }
}
