package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes of tests that pass, fail and hang, which only the tests of the runner run. */
final class FakeTests {
  private FakeTests() {}

  /** Whether Braid is among the jars of this process. */
  private static boolean braid() {
    return FakeTests.class.getClassLoader().getResource("org/braid/code/Codes.class") != null;
  }

  /** Passes on both sides. */
  static final class Passes {
    @Test
    void passes() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void passesFor(int number) {
      assertEquals(number, number);
    }

    @Disabled("not here")
    @Test
    void isDisabled() {}

    @Test
    void assumes() {
      Assumptions.assumeTrue(false, "nothing to see");
    }
  }

  /** Fails with Braid alone. */
  static final class FailsWithBraid {
    @Test
    void knowsBraid() {
      assertFalse(braid(), "Braid is\nhere");
    }

    @Test
    void passes() {}
  }

  /** The same, and is expected to. */
  static final class IsKnown {
    @Test
    void knowsBraid() {
      assertFalse(braid(), "Braid is here");
    }
  }

  /** Fails on both sides. */
  static final class Fails {
    @Test
    void fails() {
      assertEquals(1, 2);
    }
  }

  /** Cannot start with Braid. */
  static final class CannotStart {
    @BeforeAll
    static void start() {
      assertFalse(braid(), "no start");
    }

    @Test
    void passes() {}
  }

  /** Hangs with Braid. */
  static final class Hangs {
    @Test
    void hangs() throws InterruptedException {
      Thread.sleep(braid() ? 600_000 : 0);
    }
  }

  /** Ends the process with Braid. */
  static final class Exits {
    @Test
    void exits() {
      if (braid()) {
        System.exit(0);
      }
    }
  }

  /** Fails with Braid when it first runs. */
  static final class FailsOnce {
    @Test
    void failsOnce() throws Exception {
      Path mark = Path.of(System.getenv("BRAID_FAKE_MARK"));
      if (braid() && !Files.exists(mark)) {
        Files.createFile(mark);
        throw new IllegalStateException("the first time");
      }
    }
  }
}
