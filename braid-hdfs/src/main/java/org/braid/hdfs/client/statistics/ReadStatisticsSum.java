package org.braid.hdfs.client.statistics;

import org.apache.hadoop.hdfs.ReadStatistics;

/** Sums the read statistics of several streams. */
public final class ReadStatisticsSum {
  private ReadStatisticsSum() {}

  /** Adds the statistics of one stream. */
  public static void add(ReadStatistics stream, ReadStatistics sum) {
    long zeroCopy = stream.getTotalZeroCopyBytesRead();
    long shortCircuit = stream.getTotalShortCircuitBytesRead();
    sum.addRemoteBytes(stream.getRemoteBytesRead());
    sum.addLocalBytes(stream.getTotalLocalBytesRead() - shortCircuit);
    sum.addShortCircuitBytes(shortCircuit - zeroCopy);
    sum.addZeroCopyBytes(zeroCopy);
  }
}
