package org.braid.lab.install;

import java.util.List;

/**
 * What a drill found.
 *
 * @param steps in order; the last one did not hold if not all were taken
 * @param commands commands from the archive to the first converted file, each once for all hosts
 * @param firstFileSeconds from the archive to the first converted file; 0: it was not reached
 */
public record DrillReport(List<Step> steps, List<String> commands, double firstFileSeconds) {
  /**
   * A step.
   *
   * @param what it does
   * @param held whether it went as promised
   * @param found what was seen
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
