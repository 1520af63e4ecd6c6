package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.client.statistics.ReadCounters;

/** A program whose first and only read is one of a lost block, with the settings of a client. */
final class FirstRead {
  private FirstRead() {}

  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(DegradedSettings.HEDGES, "0"); // a slow machine makes no further plans
    try (MemoryStripe stripe = new MemoryStripe("rs-3-2", new Random(1))) {
      DegradedReader reader =
          new DegradedReader(
              stripe,
              stripe.workers,
              (worker, run, stream, length, token) -> stripe.receive(worker, run, stream),
              DegradedSettings.of(conf),
              System::nanoTime);
      ByteBuffer read = ByteBuffer.allocate(1000);
      int count = reader.read("/file", stripe.lost(1), 0, read, new ReadCounters(null));
      if (count != 1000 || !Arrays.equals(read.array(), Arrays.copyOf(stripe.block(1), 1000))) {
        throw new IllegalStateException("other bytes than those lost were read");
      }
    }
  }
}
