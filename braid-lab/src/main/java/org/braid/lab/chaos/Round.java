package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.braid.hdfs.testkit.lab.Command;

/**
 * The steps between two calms: each list in its order, all lists concurrently.
 *
 * @param clients the steps of each client on its files
 * @param braid the commands of each process of Braid's commands
 * @param faults the faults of the cluster; without any, no command may fail
 */
record Round(List<List<Step>> clients, List<List<Step>> braid, List<Fault> faults) {
  /**
   * The longest pause, in multiples of the mean time of a step; half of the steps have no pause.
   */
  private static final int LONGEST = 4;

  Round {
    clients = List.copyOf(clients);
    braid = List.copyOf(braid);
    faults = List.copyOf(faults);
  }

  /**
   * A command with a pause before it.
   *
   * @param afterMillis the pause
   */
  record Step(int afterMillis, Command command) {}

  /**
   * Spreads steps over a time in bursts: half of them have no pause, so that they overlap with
   * faults and with each other.
   *
   * @param seconds the time, not counting that of the steps themselves
   */
  static List<Step> spread(List<Command> commands, int seconds, SplittableRandom random) {
    int longest = commands.isEmpty() ? 0 : LONGEST * 1000 * seconds / commands.size();
    List<Step> steps = new ArrayList<>();
    for (Command command : commands) {
      boolean pauses = longest > 0 && random.nextBoolean();
      steps.add(new Step(pauses ? random.nextInt(longest) : 0, command));
    }
    return steps;
  }
}
