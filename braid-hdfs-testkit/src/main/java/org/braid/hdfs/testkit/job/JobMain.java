package org.braid.hdfs.testkit.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Runs one job and prints its result as one line of JSON, or its error. */
public final class JobMain {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JobMain() {}

  /**
   * Runs.
   *
   * @param args a configuration file of jobs, a {@link JobSpec} as JSON, and how many bytes of text
   *     are written to its input before; 0: none
   */
  public static void main(String[] args) throws InterruptedException {
    PrintStream out = System.out;
    // Other output must not mix with the answer.
    System.setOut(System.err);
    Configuration conf = new Configuration();
    conf.addResource(new Path(args[0]));
    try {
      JobSpec spec = JSON.readValue(args[1], JobSpec.class);
      write(conf, new Path(spec.input()), Long.parseLong(args[2]));
      out.println(JSON.writeValueAsString(new JobRunner(conf).run(spec)));
      System.exit(0);
    } catch (IOException | RuntimeException e) {
      String text = String.valueOf(e.getMessage());
      System.err.println(text.lines().findFirst().orElse(text));
      System.exit(1);
    }
  }

  private static void write(Configuration conf, Path file, long bytes) throws IOException {
    if (bytes > 0) {
      try (OutputStream out = file.getFileSystem(conf).create(file, true)) {
        new TextContent(bytes).write(out, bytes);
      }
    }
  }
}
