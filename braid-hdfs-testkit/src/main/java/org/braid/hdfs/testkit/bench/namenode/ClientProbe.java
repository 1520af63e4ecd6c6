package org.braid.hdfs.testkit.bench.namenode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;

/** Runs a command in a process with a given heap. */
final class ClientProbe {
  /** The cost of a command, with a remark when it did not end. */
  record Taken(Optional<Double> seconds, Optional<Double> peakBytes, String remark) {}

  private ClientProbe() {}

  /**
   * A command.
   *
   * @param name name of its figures
   * @param words arguments of the process
   * @param heap bytes of its heap
   */
  record Command(String name, List<String> words, long heap) {
    /** Looks at all files and stripes. */
    static final Command STATUS = new Command(NameNodeProbe.STATUS, List.of("status"), 256 << 20);

    /** Checks all files and stripes. */
    static final Command FSCK = new Command(NameNodeProbe.FSCK, List.of("fsck"), 256 << 20);

    /** Plans the conversion of all files: lists, groups and lays them as a conversion does. */
    static Command dryRun(String code) {
      return new Command(NameNodeProbe.DRY_RUN, List.of("convert", code), 512 << 20);
    }
  }

  /** The words: URI of the NameNode, command. Prints the seconds and the most bytes of heap. */
  public static void main(String[] words) throws IOException {
    int status = 1;
    HeapPeak peak = HeapPeak.watch();
    try (Cluster cluster =
        Braid.connect(new Connection(Optional.of(words[0]), List.of(), Map.of()))) {
      long begun = System.nanoTime();
      switch (words[1]) {
        case "fsck" -> cluster.fsck("/");
        case "status" -> cluster.status("/");
        default -> plan(cluster, words[2]);
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      System.out.println("taken " + seconds + " " + peak.bytes());
      status = 0;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      System.out.println("failed " + e);
    } finally {
      System.out.flush();
      Runtime.getRuntime().halt(status);
    }
  }

  private static void plan(Cluster cluster, String code) throws IOException {
    ConvertPreview preview =
        cluster.preview(
            new ConvertRequest(
                List.of(InjectedImage.FILES),
                code,
                OptionalInt.empty(),
                ConvertRequest.Method.DEFAULT,
                4,
                1 << 20,
                1,
                Progress.SILENT));
    if (!preview.leftAlone().isEmpty()) {
      throw new IOException(
          "%d files are left alone: %s"
              .formatted(preview.leftAlone().size(), preview.leftAlone().get(0)));
    }
  }

  /** Runs a command in a process of its own. */
  static Taken run(URI nameNode, Command command, long seconds, Path log)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-Xmx" + command.heap());
    words.add("-XX:-UsePerfData");
    words.add("-Dbraid.log.hadoop=WARN");
    words.add("-Dbraid.log.braid=WARN");
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(ClientProbe.class.getName());
    words.add(nameNode.toString());
    words.addAll(command.words());
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
