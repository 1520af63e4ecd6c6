package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.Random;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A cluster with lost blocks of many stripes, whose repairs the repair manager schedules. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScheduledRepairs {
  final Random random = Seeds.random(getClass());
  ClusterFixture fixture;
  private int files;

  @BeforeAll
  final void start() throws Exception {
    fixture = new ClusterFixture(7, 14);
  }

  @AfterAll
  final void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  final void restart() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
  }

  final String converted(int stripes) throws IOException {
    String path = "/scheduled" + ++files + "/f";
    fixture.write(path, 3 * stripes * ClusterFixture.BLOCK, 3, random);
    fixture.convertAll("rs-3-2", path);
    // A node that is about to delete a surplus copy takes no block yet.
    fixture.assertConvertedOnDisks(path);
    return path;
  }

  static RepairPolicy policy(String scheduler) {
    return RepairPolicy.CONFIGURED.with(scheduler);
  }

  final RepairReport repair(String path, RepairPolicy policy) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      return cluster.repair(
          new RepairRequest(path, "chain", 8, ClusterFixture.SLICE, 11, policy, Progress.SILENT));
    }
  }

  final void assertWhole(String path) throws IOException {
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }
}
