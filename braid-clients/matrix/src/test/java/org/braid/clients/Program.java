package org.braid.clients;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** A Java program in a process of its own. */
final class Program implements Closeable {
  private static final long MINUTES = 5;

  private final Process process;
  private final BufferedReader said;
  private final BufferedWriter told;

  /**
   * Starts it.
   *
   * @param java the JVM's directory
   * @param complaints the file for what it says beside its answers
   */
  Program(Path java, List<String> options, String classPath, Path complaints, List<String> command)
      throws IOException {
    this(java, options, classPath, complaints, Map.of(), command);
  }

  /** The same with variables of its environment. */
  Program(
      Path java,
      List<String> options,
      String classPath,
      Path complaints,
      Map<String, String> variables,
      List<String> command)
      throws IOException {
    List<String> line = new ArrayList<>(List.of(java.resolve("bin/java").toString()));
    line.addAll(options);
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.redirectError(complaints.toFile());
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().putAll(variables);
    process = builder.start();
    said = process.inputReader(StandardCharsets.UTF_8);
    told = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** The directory of this process's JVM. */
  static Path home() {
    return Path.of(System.getProperty("java.home"));
  }

  /** The feature version of a JVM, 8 or 11 for example. */
  static String version(Path java) throws IOException {
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(java.resolve("release"))) {
      release.load(in);
    }
    String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    return version.replaceFirst("^1\\.", "").replaceFirst("[^0-9].*", "");
  }

  /** Tells it a line and gives its answer. */
  String tell(String line) throws IOException {
    told.write(line + "\n");
    told.flush();
    String answer = answer();
    if (answer.startsWith("failed")) {
      throw new IOException(line + ": " + answer);
    }
    return answer;
  }

  /** The next line that begins as answers do. */
  String answer() throws IOException {
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("> ")) {
        return line.substring(2);
      }
    }
    throw new IOException("the process ended");
  }

  /** All that it says until it ends; waits for that. */
  List<String> lines() throws IOException, InterruptedException {
    Thread watch =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException e) {
                process.destroyForcibly();
              }
            });
    watch.setDaemon(true);
    watch.start();
    List<String> lines = said.lines().toList();
    watch.join();
    return process.exitValue() == 0
        ? lines
        : append(lines, "end failed with status " + process.exitValue());
  }

  private static List<String> append(List<String> lines, String last) {
    List<String> all = new ArrayList<>(lines);
    all.add(last);
    return all;
  }

  /** How many frames of Braid's are in the stack traces that it printed. */
  static long frames(Path complaints) {
    try (var lines = Files.lines(complaints)) {
      return lines
          .filter(line -> line.startsWith("\tat org.braid.") && !line.contains("braid.clients."))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
