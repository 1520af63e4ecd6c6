package org.braid.hdfs.testkit.job;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Records the work of degraded reads in a map task's counters. */
final class ReadFigures {
  /** The group of these counters. */
  static final String GROUP = "braid";

  private ReadFigures() {}

  /** Adds the counters of the file system of a task's input, which no other task shares. */
  static void note(Mapper<?, ?, ?, ?>.Context context) throws IOException {
    if (context.getInputSplit() instanceof FileSplit split) {
      FileSystem files = split.getPath().getFileSystem(context.getConfiguration());
      IOStatistics figures = IOStatisticsSupport.retrieveIOStatistics(files);
      if (figures != null) {
        for (Map.Entry<String, Long> figure : figures.counters().entrySet()) {
          if (figure.getKey().startsWith(GROUP)) {
            context.getCounter(GROUP, figure.getKey()).increment(figure.getValue());
          }
        }
      }
    }
  }
}
