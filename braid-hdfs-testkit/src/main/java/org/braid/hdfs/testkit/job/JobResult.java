package org.braid.hdfs.testkit.job;

import java.util.List;
import java.util.Map;

/**
 * How a job ran.
 *
 * @param id as YARN names it
 * @param seconds from its submission until it was done
 * @param tasks its tasks, in order
 * @param counters of the whole job by name, such as DATA_LOCAL_MAPS
 */
public record JobResult(String id, double seconds, List<Task> tasks, Map<String, Long> counters) {
  public JobResult {
    tasks = List.copyOf(tasks);
    counters = Map.copyOf(counters);
  }

  /**
   * A task, or the attempt of it that succeeded.
   *
   * @param map whether it is a map task; a reduce task otherwise
   * @param host where it ran
   * @param rack of that host, as HDFS writes it
   * @param preferred hosts that were named for its input
   * @param begun in seconds after the submission
   * @param seconds how long it ran
   * @param rebuilt bytes of lost blocks that it read
   * @param moved bytes that helpers sent for them
   * @param crossRack of these, bytes that crossed racks
   */
  public record Task(
      boolean map,
      String host,
      String rack,
      List<String> preferred,
      double begun,
      double seconds,
      long rebuilt,
      long moved,
      long crossRack) {
    public Task {
      preferred = List.copyOf(preferred);
    }
  }
}
