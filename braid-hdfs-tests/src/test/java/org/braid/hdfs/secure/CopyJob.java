package org.braid.hdfs.secure;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.braid.hdfs.testkit.job.JobRunner;

/**
 * A MapReduce job of one task that copies text, and the process of the user who submits it. The
 * task counts by what it is known to HDFS, and what it rebuilt while it read.
 */
final class CopyJob {
  /** The group of counters of what the task proves who it is with. */
  static final String IDENTITY = "identity";

  /** The group of counters of Braid's client. */
  static final String READ = "braid";

  /** What comes before it is what Hadoop logs. */
  static final String SEPARATOR = "---- job ----";

  private CopyJob() {}

  /**
   * Submits the job, waits for its end and prints its state, what its tasks failed with and its
   * counters.
   *
   * @param args the directory to read, and that of the results
   */
  public static void main(String[] args) throws Exception {
    Job job = Job.getInstance(new Configuration(), "copy");
    job.setMapperClass(Copy.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new Path(args[0]));
    FileInputFormat.setMinInputSplitSize(job, Long.MAX_VALUE);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    job.waitForCompletion(false);
    StringBuilder said = new StringBuilder(SEPARATOR);
    said.append('\n').append(job.getStatus().getState());
    Path output = new Path(args[1]);
    FileSystem files = output.getFileSystem(job.getConfiguration());
    String id = String.valueOf(job.getJobID());
    describe(JobRunner.history(files, job.getConfiguration(), id), said);
    System.out.println(said);
    System.exit(0);
  }

  private static void describe(JobInfo job, StringBuilder said) {
    for (TaskInfo task : job.getAllTasks().values()) {
      for (TaskAttemptInfo attempt : task.getAllTaskAttempts().values()) {
        said.append('\n').append(attempt.getError());
      }
    }
    Counters counters = job.getTotalCounters();
    // A job has none when each of its tasks failed.
    if (counters != null) {
      for (CounterGroup group : counters) {
        for (Counter counter : group) {
          said.append('\n').append(line(group.getName(), counter.getName()));
          said.append(counter.getValue());
        }
      }
    }
  }

  /** How the line of a counter begins. */
  static String line(String group, String counter) {
    return group + " " + counter + " = ";
  }

  /** Copies lines; made by MapReduce. */
  public static final class Copy extends Mapper<LongWritable, Text, NullWritable, Text> {
    @Override
    protected void setup(Mapper<LongWritable, Text, NullWritable, Text>.Context context)
        throws IOException {
      UserGroupInformation task = UserGroupInformation.getCurrentUser();
      note(context, "user " + task.getUserName());
      note(context, "task " + task.getAuthenticationMethod());
      // Hadoop looks for tickets when a process begins, and says KERBEROS here if there are any.
      note(context, "process " + UserGroupInformation.getLoginUser().getAuthenticationMethod());
      for (Token<?> token : task.getTokens()) {
        note(context, "token " + token.getKind());
      }
    }

    private static void note(Mapper<?, ?, ?, ?>.Context context, String what) {
      context.getCounter(IDENTITY, what).increment(1);
    }

    @Override
    protected void map(
        LongWritable key, Text line, Mapper<LongWritable, Text, NullWritable, Text>.Context context)
        throws IOException, InterruptedException {
      context.write(NullWritable.get(), line);
    }

    @Override
    protected void cleanup(Mapper<LongWritable, Text, NullWritable, Text>.Context context)
        throws IOException {
      Path input = ((FileSplit) context.getInputSplit()).getPath();
      IOStatistics figures =
          IOStatisticsSupport.retrieveIOStatistics(input.getFileSystem(context.getConfiguration()));
      for (Map.Entry<String, Long> figure : figures.counters().entrySet()) {
        if (figure.getKey().startsWith(READ)) {
          context.getCounter(READ, figure.getKey()).increment(figure.getValue());
        }
      }
    }
  }
}
