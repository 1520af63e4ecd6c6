package org.braid.clients.probe;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads the files of a directory in every way that this process's Hadoop has and prints a line for
 * each: the way, {@code ok}, {@code absent} or {@code failed}, and why.
 */
public final class Probe {
  /** The file of random bytes in a directory. */
  public static final String BYTES = "bytes";

  /** The file of text in a directory. */
  public static final String TEXT = "text";

  /** Property: a jar that is not on the class path but among those of a job. */
  public static final String JAR = "probe.jar";

  /** The properties of Braid's client. */
  public static final List<String> BRAID =
      Collections.unmodifiableList(
          Arrays.asList(
              "fs.hdfs.impl=org.braid.hdfs.client.BraidFileSystem",
              "fs.AbstractFileSystem.hdfs.impl=org.braid.hdfs.client.BraidAbstractFileSystem"));

  private Probe() {}

  /** A way to read. */
  private interface Way {
    void take() throws Exception;
  }

  /**
   * Reads.
   *
   * @param args the NameNode's address, the directory, the seed of its content, the length of the
   *     one file and the lines of the other, the checksum of the first, {@code braid} or {@code
   *     stock}, and further properties
   */
  public static void main(String[] args) {
    URI uri = URI.create(args[0]);
    Path directory = new Path(args[1]);
    long seed = Long.parseLong(args[2]);
    byte[] content = ProbeContent.bytes(seed, Integer.parseInt(args[3]));
    byte[] text = ProbeContent.text(seed, Integer.parseInt(args[4]));
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", args[0]);
    if (args[6].equals("braid")) {
      BRAID.forEach(line -> set(conf, line));
    }
    Arrays.asList(args).subList(7, args.length).forEach(line -> set(conf, line));

    if (conf.get(JAR) != null) {
      loadBy(conf, conf.get(JAR));
    }

    Path file = new Path(directory, BYTES);
    FileChecks checks = new FileChecks(conf, uri, file, content);
    take("read", checks::readAll);
    take("positions", checks::readAtPositions);
    take("seek", checks::seekAndRead);
    take("buffers", checks::readIntoBuffers);
    take("checksum", () -> checks.checksum(args[5]));
    take("locations", checks::locations);
    take("filecontext", checks::readByFileContext);
    take("viewfs", checks::readByMountTable);
    take("write", checks::writeAndChange);
    take("vectored", () -> with(checks, fs -> VectoredChecks.readRanges(fs, file, content)));
    for (String policy : Arrays.asList("random", "sequential", "parquet")) {
      take(
          "open-" + policy,
          () -> with(checks, fs -> VectoredChecks.openAs(fs, file, content, policy)));
    }
    take("job", () -> Jobs.countWords(conf, new Path(directory, TEXT), text));
    take("distcp", () -> Jobs.copyNothing(conf, directory, new Path(directory + "-copy")));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Loads the jar like programs load the jars of a job: with the class path's loader as parent. */
  private static void loadBy(Configuration conf, String jar) {
    try {
      URL[] urls = {new File(jar).toURI().toURL()};
      ClassLoader loader = new URLClassLoader(urls, Probe.class.getClassLoader());
      conf.setClassLoader(loader);
      Thread.currentThread().setContextClassLoader(loader);
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar, e);
    }
  }

  private static void set(Configuration conf, String line) {
    conf.set(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
  }

  private interface Reading {
    void read(FileSystem fs) throws Exception;
  }

  private static void with(FileChecks checks, Reading reading) throws Exception {
    try (FileSystem fs = checks.open()) {
      reading.read(fs);
    }
  }

  private static void take(String name, Way way) {
    String outcome;
    try {
      way.take();
      outcome = "ok";
    } catch (WrongBytesException e) {
      outcome = "failed " + e.getMessage();
    } catch (NoClassDefFoundError | NoSuchMethodError e) {
      outcome = (isHadoops(e) ? "absent " : "failed ") + e;
    } catch (Exception | Error e) {
      outcome = "failed " + reason(e);
    }
    System.out.println(name + " " + outcome.replaceAll("\\s+", " "));
  }

  /** Whether the missing class or method is one of Hadoop that only the probe needs, not Braid. */
  private static boolean isHadoops(LinkageError e) {
    return !String.valueOf(e.getMessage()).replace('/', '.').contains("org.braid")
        && Arrays.stream(e.getStackTrace())
            .map(StackTraceElement::getClassName)
            .filter(name -> name.startsWith("org.braid."))
            .allMatch(name -> name.startsWith("org.braid.clients."));
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof IOException)) {
      cause = cause.getCause();
    }
    return cause.toString();
  }
}
