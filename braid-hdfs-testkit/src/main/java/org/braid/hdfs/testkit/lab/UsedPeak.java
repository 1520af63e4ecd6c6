package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.thread.DaemonThreads;

/**
 * Samples the bytes that all DataNodes use, as their heartbeats report about once a second, and
 * keeps the maximum.
 */
final class UsedPeak implements AutoCloseable {
  private static final long EVERY_MILLIS = 200;

  private final DistributedFileSystem files;
  private final long before;
  private final Thread sampler = DaemonThreads.of("used-peak", this::sample);
  private long most;

  UsedPeak(DistributedFileSystem files) throws IOException {
    this.files = files;
    before = files.getStatus().getUsed();
    most = before;
    sampler.start();
  }

  private void sample() {
    try {
      while (true) {
        Thread.sleep(EVERY_MILLIS);
        look();
      }
    } catch (InterruptedException | IOException e) {
      // The last sample is taken on close, which reports the failure.
    }
  }

  private void look() throws IOException {
    long used = files.getStatus().getUsed();
    synchronized (this) {
      most = Math.max(most, used);
    }
  }

  long before() {
    return before;
  }

  synchronized long most() {
    return most;
  }

  @Override
  public void close() throws IOException {
    sampler.interrupt();
    look();
  }
}
