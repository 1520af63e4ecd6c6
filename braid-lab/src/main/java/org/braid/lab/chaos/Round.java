package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.braid.hdfs.testkit.lab.Command;

/**
 * What happens between two calms: each list in its order, all lists at the same time.
 *
 * @param clients what each client does to its files
 * @param braid what each process of Braid's commands is told
 * @param faults what happens to the cluster; empty: nothing, and no command may fail
 */
record Round(List<List<Step>> clients, List<List<Step>> braid, List<Fault> faults) {
  /** A pause is at most so many times the mean, which half of them make up for by none. */
  private static final int LONGEST = 4;

  Round {
    clients = List.copyOf(clients);
    braid = List.copyOf(braid);
    faults = List.copyOf(faults);
  }

  /**
   * Something that is done a while after what comes before it.
   *
   * @param afterMillis the while
   */
  record Step(int afterMillis, Command command) {}

  /**
   * Spreads steps over a time, in bursts: before half of them there is no pause, so that what
   * happens to the cluster meets them, and they meet each other.
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
