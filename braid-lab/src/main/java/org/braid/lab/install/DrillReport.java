package org.braid.lab.install;

import java.util.List;

/**
 * The results of a drill.
 *
 * @param steps the steps in order; after a failed one there are no more
 * @param commands commands from the archive to the first converted file, each once for all hosts
 * @param firstFileSeconds time from the archive to the first converted file; 0 when it was not
 *     reached
 */
public record DrillReport(List<Step> steps, List<String> commands, double firstFileSeconds) {
  /**
   * A step.
   *
   * @param what description of the step
   * @param held whether it succeeded
   * @param found the observation
   */
  public record Step(String what, boolean held, String found, double seconds) {}

  public DrillReport {
    steps = List.copyOf(steps);
    commands = List.copyOf(commands);
  }

  /** Whether all went as promised. */
  public boolean held() {
    return steps.stream().allMatch(Step::held);
  }
}
