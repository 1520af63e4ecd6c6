package org.braid.hdfs.testing;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.braid.hdfs.fault.FaultStep;

/** Holds up whoever reaches a step, until it is closed. */
public final class HeldStep implements AutoCloseable {
  private static final int SECONDS = 60;

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);

  /**
   * Holds from now on.
   *
   * @param which whom, by the step's detail
   */
  public HeldStep(FaultStep held, Predicate<String> which) {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == held && which.test(detail)) {
            reached.countDown();
            try {
              goesOn.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        });
  }

  /** Waits until somebody is held. */
  public void await() throws InterruptedException {
    if (!reached.await(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody has reached the step within " + SECONDS + " s");
    }
  }

  /** Lets everybody go on. */
  @Override
  public void close() {
    goesOn.countDown();
    InjectedFaults.clear();
  }
}
