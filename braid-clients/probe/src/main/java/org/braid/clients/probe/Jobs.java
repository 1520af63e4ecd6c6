package org.braid.clients.probe;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.apache.hadoop.tools.mapred.CopyMapper;

/** MapReduce jobs that run in this process. */
final class Jobs {
  private Jobs() {}

  /** Emits each word. */
  public static final class Words extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);

    @Override
    protected void map(LongWritable at, Text line, Context context)
        throws IOException, InterruptedException {
      for (String word : line.toString().split("\\s+")) {
        context.write(new Text(word), ONE);
      }
    }
  }

  /** Adds them up. */
  public static final class Sums extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text word, Iterable<LongWritable> counts, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable count : counts) {
        sum += count.get();
      }
      context.write(word, new LongWritable(sum));
    }
  }

  static Configuration local(Configuration conf) throws IOException {
    Configuration local = new Configuration(conf);
    File directory = File.createTempFile("probe", "");
    if (!directory.delete() || !directory.mkdir()) {
      throw new IOException("cannot make " + directory);
    }
    local.set("mapreduce.framework.name", "local");
    local.set("hadoop.tmp.dir", directory.getPath());
    local.set("mapreduce.cluster.local.dir", directory.getPath());
    local.set("mapreduce.jobtracker.staging.root.dir", "file:" + directory + "/staging");
    local.set("yarn.app.mapreduce.am.staging-dir", "file:" + directory + "/staging");
    return local;
  }

  static void countWords(Configuration conf, Path text, byte[] content) throws Exception {
    Configuration local = local(conf);
    Job job = Job.getInstance(local, "words");
    job.setJarByClass(Jobs.class);
    job.setMapperClass(Words.class);
    job.setCombinerClass(Sums.class);
    job.setReducerClass(Sums.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.addInputPath(job, text);
    Path out = new Path("file:" + local.get("hadoop.tmp.dir") + "/out");
    FileOutputFormat.setOutputPath(job, out);
    if (!job.waitForCompletion(false)) {
      throw new IOException("the job failed: " + job.getStatus().getFailureInfo());
    }
    long found = 0;
    FileSystem files = out.getFileSystem(local);
    for (FileStatus part : files.listStatus(out)) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          found += line.startsWith("parity\t") ? Long.parseLong(line.substring(7)) : 0;
        }
      }
    }
    long expected = ProbeContent.count(content, "parity");
    if (found != expected) {
      throw new WrongBytesException("the job counted " + found + " of " + expected + " words");
    }
  }

  /** Checks that DistCp copies nothing when the checksums of source and target are equal. */
  static void copyNothing(Configuration conf, Path from, Path to) throws Exception {
    DistCpOptions options =
        new DistCpOptions.Builder(Collections.singletonList(from), to).withSyncFolder(true).build();
    Job job = new DistCp(local(conf), options).execute();
    long copied = job.getCounters().findCounter(CopyMapper.Counter.COPY).getValue();
    long skipped = job.getCounters().findCounter(CopyMapper.Counter.SKIP).getValue();
    if (copied != 0 || skipped == 0) {
      throw new IOException("distcp -update copied " + copied + " and skipped " + skipped);
    }
  }
}
