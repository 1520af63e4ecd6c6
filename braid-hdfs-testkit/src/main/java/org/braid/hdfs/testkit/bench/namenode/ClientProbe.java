package org.braid.hdfs.testkit.bench.namenode;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;

/** A process with the heap that commands are to do with, which carries out one. */
final class ClientProbe {
  /** Megabytes. */
  private static final int HEAP = 256;

  /** What a command took; a remark when it did not end. */
  record Taken(Optional<Double> seconds, Optional<Double> peakBytes, String remark) {}

  private ClientProbe() {}

  /** The words: URI of the NameNode, command. Prints the seconds and the most bytes of heap. */
  public static void main(String[] words) throws IOException {
    int status = 1;
    try (Cluster cluster =
        Braid.connect(new Connection(Optional.of(words[0]), List.of(), Map.of()))) {
      long begun = System.nanoTime();
      if (words[1].equals("fsck")) {
        cluster.fsck("/");
      } else {
        cluster.status("/");
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      long peak = 0;
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        peak += pool.getType() == MemoryType.HEAP ? pool.getPeakUsage().getUsed() : 0;
      }
      System.out.println("taken " + seconds + " " + peak);
      status = 0;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      System.out.println("failed " + e);
    } finally {
      System.out.flush();
      Runtime.getRuntime().halt(status);
    }
  }

  /** Runs a command in a process of its own. */
  static Taken run(URI nameNode, String command, long seconds, Path log)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-Xmx" + HEAP + "m");
    words.add("-XX:-UsePerfData");
    words.add("-Dbraid.log.hadoop=WARN");
    words.add("-Dbraid.log.braid=WARN");
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(ClientProbe.class.getName());
    words.add(nameNode.toString());
    words.add(command);
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        return new Taken(Optional.empty(), Optional.empty(), "more than " + seconds + " s");
      }
    } finally {
      process.destroyForcibly();
    }
    String last = "no output";
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith("taken ")) {
        String[] parts = line.split(" ", -1);
        return new Taken(
            Optional.of(Double.valueOf(parts[1])), Optional.of(Double.valueOf(parts[2])), "");
      }
      last = line;
    }
    return new Taken(Optional.empty(), Optional.empty(), last);
  }
}
