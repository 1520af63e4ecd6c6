package org.braid.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tells {@link Seeds} which test runs, and prints the command that replays one that fails. JUnit
 * finds it by itself.
 */
public final class SeedExtension implements BeforeEachCallback, AfterEachCallback {
  @Override
  public void beforeEach(ExtensionContext context) {
    Seeds.begin(context.getUniqueId());
  }

  @Override
  @SuppressWarnings("SystemOut") // the replay line belongs in the test's output
  public void afterEach(ExtensionContext context) {
    Seeds.end();
    if (context.getExecutionException().isPresent()) {
      String method = context.getRequiredTestMethod().getName();
      System.out.println("replay: " + Seeds.replay(context.getRequiredTestClass(), method));
    }
  }
}
