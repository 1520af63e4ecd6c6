package org.braid.lab.work;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Jobs of many sizes that arrive at random, as SWIM replays them from traces: most read little and
 * only map, some read much and shuffle (EAR, experiment 3).
 *
 * @param jobs in the order of arrival
 */
record JobMix(List<MixedJob> jobs) {
  private static final double SMALL = 0.65;
  private static final double MIDDLE = 0.9;
  private static final int MOST_MIDDLE = 3;
  private static final double MAPS_ALONE = 0.5;

  JobMix {
    jobs = List.copyOf(jobs);
  }

  /**
   * A job.
   *
   * @param at when it is submitted, in seconds after the first
   * @param blocks of its input
   * @param shuffle bytes shuffled for each byte of input; 0: it only maps
   * @param written bytes written for each byte of input
   */
  record MixedJob(double at, int blocks, double shuffle, double written) {
    int reducers() {
      return shuffle == 0 ? 0 : 1;
    }
  }

  /**
   * Draws jobs.
   *
   * @param number of jobs
   * @param most blocks that a job reads
   * @param gap mean time between two submissions in seconds
   */
  static JobMix draw(int number, int most, double gap, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<MixedJob> jobs = new ArrayList<>();
    double at = 0;
    for (int job = 0; job < number; job++) {
      double size = random.nextDouble();
      int middle = Math.min(most, MOST_MIDDLE);
      int blocks =
          size < SMALL
              ? 1
              : size < MIDDLE
                  ? 1 + random.nextInt(middle)
                  : middle + random.nextInt(most - middle + 1);
      double shuffle = random.nextDouble() < MAPS_ALONE ? 0 : random.nextDouble();
      jobs.add(new MixedJob(at, blocks, shuffle, random.nextDouble()));
      at -= gap * Math.log(1 - random.nextDouble());
    }
    return new JobMix(jobs);
  }
}
