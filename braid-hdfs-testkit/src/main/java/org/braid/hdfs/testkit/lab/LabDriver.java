package org.braid.hdfs.testkit.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;

/**
 * A client of a cluster that executes commands. It reads one JSON object a line from standard
 * input, {@code {"id": 1, "command": {"do": "delete", "path": "/x"}}}, and writes one a line to
 * standard output, {@code {"id": 1, "begun": 0.1, "ended": 0.2, "answer": {...}}} or with {@code
 * "error"} in place of the answer. Commands run concurrently. The driver ends at the end of its
 * input.
 */
public final class LabDriver {
  private static final long END_SECONDS = 10;

  /** The JSON format of commands and answers. */
  public static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  private final CommandExecutor executor;
  private final PrintStream out;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private LabDriver(CommandExecutor executor, PrintStream out) {
    this.executor = executor;
    this.out = out;
  }

  /**
   * Runs until standard input ends.
   *
   * @param args {@code -fs URI}, {@code -conf FILE} and {@code -D KEY=VALUE} as Hadoop's own tools
   *     take them
   */
  public static void main(String[] args) throws IOException {
    Connection connection;
    try {
      connection = connection(args);
    } catch (IllegalArgumentException e) {
      System.err.println("lab driver: " + e.getMessage());
      System.exit(2);
      return;
    }
    PrintStream out = System.out;
    // Other output must not mix with the answers.
    System.setOut(System.err);
    try (Reader in = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
      run(connection, in, out);
    }
    System.exit(0);
  }

  private static Connection connection(String[] args) {
    Optional<String> fileSystem = Optional.empty();
    List<Path> configurations = new ArrayList<>();
    Map<String, String> properties = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " needs a value");
      }
      String value = args[i + 1];
      switch (args[i]) {
        case "-fs" -> fileSystem = Optional.of(value);
        case "-conf" -> configurations.add(Path.of(value));
        case "-D" -> {
          int equals = value.indexOf('=');
          if (equals < 1) {
            throw new IllegalArgumentException("-D " + value + " is not of the form KEY=VALUE");
          }
          properties.put(value.substring(0, equals), value.substring(equals + 1));
        }
        default ->
            throw new IllegalArgumentException(
                args[i] + " is no option: there are -fs, -conf and -D");
      }
    }
    return new Connection(fileSystem, configurations, properties);
  }

  /**
   * Executes commands until the end of the input.
   *
   * @param in a line a command
   * @param out one answer a line
   */
  public static void run(Connection connection, Reader in, PrintStream out) throws IOException {
    try (CommandExecutor executor = new CommandExecutor(connection)) {
      new LabDriver(executor, out).run(new BufferedReader(in));
    }
  }

  private void run(BufferedReader in) throws IOException {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String text = line;
        threads.execute(() -> answer(text));
      }
    } finally {
      threads.shutdown();
      try {
        if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
          threads.shutdownNow();
        }
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
      }
    }
  }

  private void answer(String line) {
    ObjectNode said = JSON.createObjectNode();
    said.put("begun", executor.now());
    try {
      JsonNode asked = JSON.readTree(line);
      if (!asked.isObject() || !asked.path("id").isIntegralNumber()) {
        throw new IllegalArgumentException("a command is an object with a number as its id");
      }
      said.put("id", asked.path("id").longValue());
      Command command = JSON.treeToValue(asked.path("command"), Command.class);
      if (command == null) {
        throw new IllegalArgumentException("there is no command in it");
      }
      said.set("answer", JSON.valueToTree(executor.execute(command)));
    } catch (JsonProcessingException e) {
      said.put("error", "not understood: " + e.getOriginalMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      said.put("error", "interrupted");
    } catch (IOException | RuntimeException e) {
      said.put("error", message(e));
      said.put("refused", e instanceof RefusedException);
    }
    said.put("ended", executor.now());
    synchronized (out) {
      out.println(said);
      out.flush();
    }
  }

  private static String message(Exception e) {
    String text = e.getMessage();
    return text == null || text.isBlank()
        ? e.getClass().getName()
        : text.lines().findFirst().orElse(text);
  }
}
