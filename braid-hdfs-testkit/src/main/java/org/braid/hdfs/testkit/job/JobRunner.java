package org.braid.hdfs.testkit.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;

/** Submits a job, waits for its end and reads its history. */
public final class JobRunner {
  /** The directory with the history of jobs, by users. */
  public static final String HISTORY = "mapreduce.jobhistory.intermediate-done-dir";

  private static final long LOOK_MILLIS = 100;
  private static final long HISTORY_MILLIS = 30_000;
  private static final String SUCCEEDED = "SUCCEEDED";

  private final Configuration conf;

  /** A runner with the configuration of jobs. */
  public JobRunner(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Runs a job to its end.
   *
   * @throws IOException when it fails, with YARN's reason
   */
  public JobResult run(JobSpec spec) throws IOException, InterruptedException {
    Job job = Job.getInstance(conf, spec.kind());
    prepare(job, spec);
    FileInputFormat.addInputPath(job, new Path(spec.input()));
    Path output = new Path(spec.output());
    FileSystem files = output.getFileSystem(conf);
    files.delete(output, true);
    FileOutputFormat.setOutputPath(job, output);
    long begun = System.nanoTime();
    try {
      job.submit();
      while (!job.isComplete()) {
        Thread.sleep(LOOK_MILLIS);
      }
      if (!job.isSuccessful()) {
        throw new IOException(
            "%s %s failed: %s"
                .formatted(spec.kind(), job.getJobID(), job.getStatus().getFailureInfo()));
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      return result(history(files, conf, String.valueOf(job.getJobID())), seconds);
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing: " + e.getMessage(), e);
    }
  }

  private static void prepare(Job job, JobSpec spec) {
    job.setNumReduceTasks(spec.reducers());
    job.getConfiguration().setInt("dfs.replication", spec.replication());
    switch (JobKind.of(spec.kind())) {
      case GREP -> Grep.prepare(job, spec.pattern());
      case WORDCOUNT -> WordCount.prepare(job);
      case REPLAY -> Replay.prepare(job, spec.shuffle(), spec.written(), spec.reducers());
    }
  }

  /**
   * The history of a job that has ended: its application master writes it before.
   *
   * @param conf names the directory
   * @param id of the job
   */
  public static JobInfo history(FileSystem files, Configuration conf, String id)
      throws IOException, InterruptedException {
    Path directory =
        new Path(conf.get(HISTORY, ""), UserGroupInformation.getCurrentUser().getShortUserName());
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HISTORY_MILLIS);
    while (System.nanoTime() - end < 0) {
      Optional<Path> found = historyFile(files, directory, id);
      if (found.isPresent()) {
        return new JobHistoryParser(files, found.get()).parse();
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new IOException("the history of " + id + " is not in " + directory);
  }

  private static Optional<Path> historyFile(FileSystem files, Path directory, String id)
      throws IOException {
    if (files.exists(directory)) {
      for (FileStatus file : files.listStatus(directory)) {
        String name = file.getPath().getName();
        if (name.startsWith(id) && name.endsWith(".jhist")) {
          return Optional.of(file.getPath());
        }
      }
    }
    return Optional.empty();
  }

  private static JobResult result(JobInfo job, double seconds) {
    List<JobResult.Task> tasks = new ArrayList<>();
    for (TaskInfo task : new TreeMap<>(job.getAllTasks()).values()) {
      for (TaskAttemptInfo attempt : task.getAllTaskAttempts().values()) {
        if (SUCCEEDED.equals(attempt.getTaskStatus())) {
          tasks.add(task(task, attempt, job.getSubmitTime()));
        }
      }
    }
    Map<String, Long> counters = new TreeMap<>();
    for (CounterGroup group : job.getTotalCounters()) {
      for (Counter counter : group) {
        counters.put(counter.getName(), counter.getValue());
      }
    }
    return new JobResult(String.valueOf(job.getJobId()), seconds, tasks, counters);
  }

  private static JobResult.Task task(TaskInfo task, TaskAttemptInfo attempt, long submitted) {
    Counters counters = attempt.getCounters();
    return new JobResult.Task(
        task.getTaskType() == TaskType.MAP,
        attempt.getHostname(),
        String.valueOf(attempt.getRackname()),
        hosts(task.getSplitLocations()),
        (attempt.getStartTime() - submitted) / 1e3,
        (attempt.getFinishTime() - attempt.getStartTime()) / 1e3,
        figure(counters, "braid_degraded_bytes"),
        figure(counters, "braid_degraded_bytes_moved"),
        figure(counters, "braid_degraded_bytes_cross_rack"));
  }

  private static long figure(Counters counters, String name) {
    return counters.findCounter(ReadFigures.GROUP, name).getValue();
  }

  /** Host names out of {@code /rack/host,/rack/host}. */
  private static List<String> hosts(String locations) {
    List<String> hosts = new ArrayList<>();
    for (String location : locations.split(",", -1)) {
      if (!location.isEmpty()) {
        hosts.add(location.substring(location.lastIndexOf('/') + 1));
      }
    }
    return hosts;
  }
}
