package org.braid.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TerminationTest {
  private final List<Thread> hooks = new ArrayList<>();
  private final Termination termination = new Termination(hooks::add);
  private final StringWriter said = new StringWriter();
  private final ProgressBars bars = new ProgressBars();

  /** What a signal makes the JVM do. */
  private void stop() throws InterruptedException {
    for (Thread hook : hooks) {
      hook.start();
      hook.join();
    }
  }

  @Test
  void aCommandThatIsStoppedSaysHowFarItIs() throws Exception {
    termination.says(() -> "stopped at " + bars.reached(), new PrintWriter(said));
    bars.at("converting", 3, 12);
    stop();
    assertEquals(
        "braid: stopped at converting, 3 of 12 done" + System.lineSeparator(), said.toString());
  }

  @Test
  void aCommandThatHasEndedSaysNothing() throws Exception {
    termination.says(() -> "stopped", new PrintWriter(said));
    termination.ended(ExitStatus.DONE);
    stop();
    assertEquals("", said.toString());
  }
}
