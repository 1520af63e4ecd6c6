package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import java.util.Map;

/** Tells workers. */
public interface Pacer {
  /**
   * Tells all workers of some runs how fast they may go on, and waits for their answers.
   *
   * @param rates by run, bytes of each value a second; infinite: no limit
   * @param heard gets what workers answer
   * @return numbers of the grants all of whose workers have answered
   */
  List<Long> tell(Map<Grant, Double> rates, Readers heard);

  /** Hears what readers meet at nodes. */
  interface Readers {
    /** A DataNode has sent so many packets since it started, which took so long together. */
    void at(String node, long packets, long nanos);
  }
}
