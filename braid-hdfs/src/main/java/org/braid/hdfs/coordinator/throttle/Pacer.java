package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import java.util.Map;

/** Sends rates to workers. */
public interface Pacer {
  /**
   * Sends the new rates of some runs to all their workers, and waits for their answers.
   *
   * @param rates by run, bytes of each value a second; infinite: no limit
   * @param heard gets what workers answer
   * @return numbers of the grants all of whose workers have answered
   */
  List<Long> tell(Map<Grant, Double> rates, Readers heard);

  /** Receives the read latencies of nodes. */
  interface Readers {
    /** Takes the number and total time of the packets that a DataNode has sent since it started. */
    void at(String node, long packets, long nanos);
  }
}
