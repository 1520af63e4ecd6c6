package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class JobMixTest {
  @Test
  void aSeedDrawsTheSameJobs() {
    assertEquals(JobMix.draw(20, 12, 3, 7), JobMix.draw(20, 12, 3, 7));
    assertNotEquals(JobMix.draw(20, 12, 3, 7), JobMix.draw(20, 12, 3, 8));
  }

  @Test
  void mostJobsReadLittleAndSomeMuch() {
    JobMix mix = JobMix.draw(1000, 12, 3, 1);
    long small = mix.jobs().stream().filter(job -> job.blocks() == 1).count();
    long large = mix.jobs().stream().filter(job -> job.blocks() > 3).count();
    assertTrue(small > 600 && small < 850, () -> small + " of 1000 jobs read one block");
    assertTrue(large > 40 && large < 140, () -> large + " of 1000 jobs read more than three");
    assertTrue(mix.jobs().stream().allMatch(job -> job.blocks() >= 1 && job.blocks() <= 12));
    assertTrue(mix.jobs().stream().anyMatch(job -> job.reducers() == 0));
    assertTrue(mix.jobs().stream().anyMatch(job -> job.reducers() == 1));
  }

  @Test
  void jobsArriveInOrderAtTheMeanGap() {
    JobMix mix = JobMix.draw(1000, 12, 3, 1);
    double before = 0;
    for (JobMix.MixedJob job : mix.jobs()) {
      assertTrue(job.at() >= before);
      before = job.at();
    }
    assertEquals(0, mix.jobs().get(0).at());
    assertEquals(3, before / 999, 0.3);
  }

  @Test
  void aSmallestMixHasOneBlockAJob() {
    assertTrue(JobMix.draw(50, 1, 0, 1).jobs().stream().allMatch(job -> job.blocks() == 1));
  }
}
