package org.braid.hdfs.api;

/**
 * Payload bytes that workers sent each other, as they counted them.
 *
 * @param crossRackBytes between racks
 * @param inRackBytes inside racks
 * @param busiestLinkBytes most bytes into or out of any one node
 * @param cpuSeconds processor time of the workers' threads
 */
public record Traffic(
    long crossRackBytes, long inRackBytes, long busiestLinkBytes, double cpuSeconds) {
  public static final Traffic NONE = new Traffic(0, 0, 0, 0);

  /** The sum with the traffic of another time; the busiest link is the busier one of both. */
  public Traffic plus(Traffic later) {
    return new Traffic(
        crossRackBytes + later.crossRackBytes,
        inRackBytes + later.inRackBytes,
        Math.max(busiestLinkBytes, later.busiestLinkBytes),
        cpuSeconds + later.cpuSeconds);
  }
}
