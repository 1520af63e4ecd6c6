package org.braid.hdfs.testkit.job;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Moves as many bytes as a recorded job did, like SWIM's jobs: reads its input, shuffles a share of
 * it and writes a share of it (EAR, experiment 3).
 */
final class Replay {
  private static final String FROM_MAP = "job.from-map";
  private static final String FROM_REDUCE = "job.from-reduce";

  private Replay() {}

  /**
   * Prepares a job.
   *
   * @param shuffle bytes shuffled for each byte of the input; without reducers they are not
   * @param written bytes written for each byte of the input
   */
  static void prepare(Job job, double shuffle, double written, int reducers) {
    if (shuffle < 0 || written < 0) {
      throw new IllegalArgumentException("shares of the input are not negative");
    }
    double fromMap = reducers == 0 ? written : shuffle;
    job.getConfiguration().setDouble(FROM_MAP, fromMap);
    job.getConfiguration().setDouble(FROM_REDUCE, shuffle == 0 ? 0 : written / shuffle);
    job.setMapperClass(Forward.class);
    job.setReducerClass(Results.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(Text.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
  }

  /** A share of a stream of bytes, record by record. */
  private static final class Share {
    private final double share;
    private double due;

    Share(double share) {
      this.share = share;
    }

    /** How often a record is to be written. */
    int of(int bytes) {
      due += share * bytes;
      int times = (int) (due / bytes);
      due -= (double) times * bytes;
      return times;
    }
  }

  /** Reads all and emits a share; made by MapReduce. */
  public static final class Forward extends Mapper<LongWritable, Text, LongWritable, Text> {
    private Share share = new Share(0);

    @Override
    protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
      share = new Share(context.getConfiguration().getDouble(FROM_MAP, 0));
    }

    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, LongWritable, Text>.Context context)
        throws IOException, InterruptedException {
      for (int left = share.of(line.getLength() + 1); left > 0; left--) {
        context.write(offset, line);
      }
    }

    @Override
    protected void cleanup(Mapper<LongWritable, Text, LongWritable, Text>.Context context)
        throws IOException {
      ReadFigures.note(context);
    }
  }

  /** Writes a share of what was shuffled; made by MapReduce. */
  public static final class Results extends Reducer<LongWritable, Text, NullWritable, Text> {
    private Share share = new Share(0);

    @Override
    protected void setup(Reducer<LongWritable, Text, NullWritable, Text>.Context context) {
      share = new Share(context.getConfiguration().getDouble(FROM_REDUCE, 0));
    }

    @Override
    protected void reduce(
        LongWritable offset,
        Iterable<Text> lines,
        Reducer<LongWritable, Text, NullWritable, Text>.Context context)
        throws IOException, InterruptedException {
      for (Text line : lines) {
        for (int left = share.of(line.getLength() + 1); left > 0; left--) {
          context.write(NullWritable.get(), line);
        }
      }
    }
  }
}
