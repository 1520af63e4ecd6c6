package org.braid.engine;

import java.util.Map;
import org.braid.code.SubBlock;

/**
 * What one fragment did.
 *
 * @param readCrcs the CRC-32C of each sub-block read, over the whole length
 * @param storeCrcs the CRC-32C of each sub-block stored
 * @param sentBytes bytes sent, by receiving node
 * @param receivedBytes bytes received, by sending node
 * @param cpuNanos processor time of the running thread; 0 where the JVM cannot tell
 * @param readNanos from the start until the last input was there: reading and computing go on
 *     beside each other (Geo-MXOR section VI-A)
 * @param waitNanos of these, how long it waited for inputs
 */
public record Outcome(
    Map<SubBlock, Integer> readCrcs,
    Map<SubBlock, Integer> storeCrcs,
    Map<Integer, Long> sentBytes,
    Map<Integer, Long> receivedBytes,
    long cpuNanos,
    long readNanos,
    long waitNanos) {
  public Outcome {
    readCrcs = Map.copyOf(readCrcs);
    storeCrcs = Map.copyOf(storeCrcs);
    sentBytes = Map.copyOf(sentBytes);
    receivedBytes = Map.copyOf(receivedBytes);
  }
}
