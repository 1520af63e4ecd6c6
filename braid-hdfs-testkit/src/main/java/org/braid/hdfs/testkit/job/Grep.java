package org.braid.hdfs.testkit.job;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Finds the lines that contain a text (R-STAIR, section V-B). */
final class Grep {
  private static final String PATTERN = "job.pattern";

  private Grep() {}

  static void prepare(Job job, String pattern) {
    if (pattern.isEmpty()) {
      throw new IllegalArgumentException("grep needs a pattern");
    }
    job.getConfiguration().set(PATTERN, pattern);
    job.setMapperClass(Finder.class);
    job.setReducerClass(Lines.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
  }

  /** Finds lines; made by MapReduce. */
  public static final class Finder extends Mapper<LongWritable, Text, Text, NullWritable> {
    private String pattern = "";

    @Override
    protected void setup(Mapper<LongWritable, Text, Text, NullWritable>.Context context) {
      pattern = context.getConfiguration().get(PATTERN, "");
    }

    @Override
    protected void map(
        LongWritable key, Text line, Mapper<LongWritable, Text, Text, NullWritable>.Context context)
        throws IOException, InterruptedException {
      if (line.find(pattern) >= 0) {
        context.write(line, NullWritable.get());
      }
    }

    @Override
    protected void cleanup(Mapper<LongWritable, Text, Text, NullWritable>.Context context)
        throws IOException {
      ReadFigures.note(context);
    }
  }

  /** Writes lines as often as they were found; made by MapReduce. */
  public static final class Lines extends Reducer<Text, NullWritable, Text, NullWritable> {
    @Override
    protected void reduce(
        Text line,
        Iterable<NullWritable> found,
        Reducer<Text, NullWritable, Text, NullWritable>.Context context)
        throws IOException, InterruptedException {
      for (NullWritable one : found) {
        context.write(line, one);
      }
    }
  }
}
