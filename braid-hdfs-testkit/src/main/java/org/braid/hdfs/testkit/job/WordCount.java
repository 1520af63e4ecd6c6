package org.braid.hdfs.testkit.job;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Counts the words of a text (R-STAIR, section V-B). */
final class WordCount {
  private WordCount() {}

  static void prepare(Job job) {
    job.setMapperClass(Words.class);
    job.setCombinerClass(Sum.class);
    job.setReducerClass(Sum.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
  }

  /** Emits each word; made by MapReduce. */
  public static final class Words extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);

    private final Text word = new Text();

    @Override
    protected void map(
        LongWritable key, Text line, Mapper<LongWritable, Text, Text, LongWritable>.Context context)
        throws IOException, InterruptedException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        word.set(words.nextToken());
        context.write(word, ONE);
      }
    }

    @Override
    protected void cleanup(Mapper<LongWritable, Text, Text, LongWritable>.Context context)
        throws IOException {
      ReadFigures.note(context);
    }
  }

  /** Adds numbers; made by MapReduce. */
  public static final class Sum extends Reducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable sum = new LongWritable();

    @Override
    protected void reduce(
        Text word,
        Iterable<LongWritable> numbers,
        Reducer<Text, LongWritable, Text, LongWritable>.Context context)
        throws IOException, InterruptedException {
      long all = 0;
      for (LongWritable number : numbers) {
        all += number.get();
      }
      sum.set(all);
      context.write(word, sum);
    }
  }
}
