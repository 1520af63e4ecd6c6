package org.braid.engine;

import java.util.Map;
import org.braid.code.SubBlock;

/**
 * CRCs, bytes and times of one fragment.
 *
 * @param readCrcs the CRC-32C of each sub-block read, over the whole length
 * @param storeCrcs the CRC-32C of each sub-block stored
 * @param sentBytes bytes sent, by receiving node
 * @param receivedBytes bytes received, by sending node
 * @param cpuNanos processor time of the running thread; 0 where the JVM does not measure it
 * @param readNanos from the start to the arrival of the last input; reading and computing overlap
 *     (Geo-MXOR section VII-A)
 * @param waitNanos the part of {@code readNanos} spent waiting for inputs
 */
public record FragmentResult(
    Map<SubBlock, Integer> readCrcs,
    Map<SubBlock, Integer> storeCrcs,
    Map<Integer, Long> sentBytes,
    Map<Integer, Long> receivedBytes,
    long cpuNanos,
    long readNanos,
    long waitNanos) {
  public FragmentResult {
    readCrcs = Map.copyOf(readCrcs);
    storeCrcs = Map.copyOf(storeCrcs);
    sentBytes = Map.copyOf(sentBytes);
    receivedBytes = Map.copyOf(receivedBytes);
  }
}
