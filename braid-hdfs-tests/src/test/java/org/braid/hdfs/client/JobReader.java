package org.braid.hdfs.client;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;

/** What a job does whose jars have a class loader of their own; called by reflection. */
public final class JobReader {
  private JobReader() {}

  /** Reads a file; returns its bytes and how many of them were rebuilt. */
  public static Map.Entry<byte[], Long> read(Map<String, String> properties, String path)
      throws IOException {
    Configuration conf = configuration(properties);
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        FSDataInputStream in = fs.open(new Path(path))) {
      return read(in);
    }
  }

  /** Reads a file by FileContext. */
  public static Map.Entry<byte[], Long> readContext(Map<String, String> properties, String path)
      throws IOException {
    Configuration conf = configuration(properties);
    FileContext context = FileContext.getFileContext(FileSystem.getDefaultUri(conf), conf);
    try (FSDataInputStream in = context.open(new Path(path))) {
      return read(in);
    }
  }

  private static Configuration configuration(Map<String, String> properties) {
    Configuration conf = new Configuration(false);
    properties.forEach(conf::set);
    return conf;
  }

  private static Map.Entry<byte[], Long> read(FSDataInputStream in) throws IOException {
    byte[] content = in.readAllBytes();
    return Map.entry(
        content,
        IOStatisticsSupport.retrieveIOStatistics(in)
            .counters()
            .getOrDefault(Counter.DEGRADED_BYTES.key(), 0L));
  }
}
