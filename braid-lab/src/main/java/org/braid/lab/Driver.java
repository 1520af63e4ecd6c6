package org.braid.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.experiment.ExperimentException;
import org.braid.thread.DaemonThreads;

/**
 * A process on a host of the lab that executes commands. It reads one JSON object a line, {@code
 * {"id": 1, "command": {...}}}, and answers with one object a line that has the same id, and {@code
 * "error"} with the reason if the command failed. Commands may overlap. The process ends at the end
 * of its input.
 */
public final class Driver implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long END_SECONDS = 15;
  private static final long LOOK_MILLIS = 500;

  private final String name;
  private final Process process;
  private final Path log;
  private final Health health;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<ObjectNode>> waiting = new ConcurrentHashMap<>();
  private final Thread reader;
  private volatile boolean closing;

  /** Checks that the lab can still answer. */
  interface Health {
    /** Throws when a daemon that must run has ended. */
    void check() throws ExperimentException;
  }

  /**
   * Connects to a process.
   *
   * @param name its name in messages
   * @param process the process, with piped input and output
   * @param log the file of its messages
   */
  Driver(String name, Process process, Path log, Health health) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.health = health;
    this.reader = DaemonThreads.of("braid-lab-" + name, this::read);
    reader.start();
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answered(line);
      }
    } catch (IOException e) {
      // The process has ended; the waiting callers fail below.
    }
    closing |= waiting.isEmpty();
    for (Long id : waiting.keySet()) {
      fail(id);
    }
  }

  private void answered(String line) {
    try {
      JsonNode said = JSON.readTree(line);
      CompletableFuture<ObjectNode> answer = waiting.remove(said.path("id").asLong(-1));
      if (answer != null && said instanceof ObjectNode object) {
        answer.complete(object);
      }
    } catch (JsonProcessingException e) {
      // The program printed a line that is no answer.
    }
  }

  private void fail(Long id) {
    CompletableFuture<ObjectNode> answer = waiting.remove(id);
    if (answer != null) {
      answer.completeExceptionally(ExperimentException.failed(ended()));
    }
  }

  private String ended() {
    return name + " has ended" + LogTail.of(log);
  }

  /**
   * Gives a command without waiting.
   *
   * @return the whole answer, even with an {@code error}; fails with {@link ExperimentException}
   *     when the process ends first
   */
  public CompletableFuture<ObjectNode> send(JsonNode command) {
    long id = ids.incrementAndGet();
    CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    ObjectNode line = JSON.createObjectNode().put("id", id);
    line.set("command", command);
    try {
      byte[] bytes = (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
      OutputStream out = process.getOutputStream();
      synchronized (out) {
        out.write(bytes);
        out.flush();
      }
    } catch (IOException e) {
      fail(id);
    }
    if (!reader.isAlive()) {
      fail(id);
    }
    return answer;
  }

  /**
   * Gives a command and waits until it is done.
   *
   * @return the whole answer
   * @throws ExperimentException when the answer is an error ({@link
   *     ExperimentException.Cause#TRIAL}), or the process or a daemon of the lab has ended
   */
  public ObjectNode call(JsonNode command) throws ExperimentException, InterruptedException {
    return await(send(command));
  }

  /** Waits for the answer of a command that was {@linkplain #send sent}, as {@link #call} does. */
  public ObjectNode await(CompletableFuture<ObjectNode> answer)
      throws ExperimentException, InterruptedException {
    while (true) {
      try {
        ObjectNode said = answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (said.has("error")) {
          throw ExperimentException.trial(name + ": " + said.get("error").asText());
        }
        return said;
      } catch (TimeoutException e) {
        health.check();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof ExperimentException failure) {
          throw failure;
        }
        throw ExperimentException.failed(ended(), e);
      }
    }
  }

  /** Ends the process: waits some seconds for running commands, then kills it. */
  @Override
  public void close() {
    if (closing && !process.isAlive()) {
      return;
    }
    closing = true;
    boolean interrupted = false;
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (IOException e) {
      kill();
    } catch (InterruptedException e) {
      kill();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the process with its running commands. */
  public void kill() {
    closing = true;
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
