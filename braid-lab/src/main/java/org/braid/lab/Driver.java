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
import org.jspecify.annotations.Nullable;

/**
 * A process on a host of the lab that does what it is told: a JSON object a line, {@code {"id": 1,
 * "order": {...}}}, and one a line when it is done, with the same id, and {@code "error"} with a
 * reason when it could not be done. Orders may overlap. The end of its input ends the process.
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

  /** Looks whether an answer can still be expected. */
  interface Health {
    /** Throws when something that must run does not. */
    void check() throws ExperimentException;
  }

  /**
   * Talks to a process.
   *
   * @param name what messages call it
   * @param process whose input and output are connected
   * @param log where its messages go
   */
  Driver(String name, Process process, Path log, Health health) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.health = health;
    this.reader = new Thread(this::read, "braid-lab-" + name);
    reader.setDaemon(true);
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
      // The process has ended, which the waiting are told below.
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
      // Something that the program printed and nobody asked for.
    }
  }

  private void fail(Long id) {
    CompletableFuture<ObjectNode> answer = waiting.remove(id);
    if (answer != null) {
      answer.completeExceptionally(ExperimentException.failed(ended()));
    }
  }

  private String ended() {
    return name + " has ended" + LogEnd.of(log);
  }

  /**
   * Gives an order without waiting.
   *
   * @return the whole answer, also when it has an {@code error}; fails with {@link
   *     ExperimentException} when the process ends before
   */
  public CompletableFuture<ObjectNode> send(JsonNode order) {
    long id = ids.incrementAndGet();
    CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    ObjectNode line = JSON.createObjectNode().put("id", id);
    line.set("order", order);
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
   * Gives an order and waits until it is done.
   *
   * @return the whole answer
   * @throws ExperimentException when the answer is an error ({@link
   *     ExperimentException.Cause#TRIAL}), or the process or a daemon of the lab has ended
   */
  public ObjectNode call(JsonNode order) throws ExperimentException, InterruptedException {
    return await(send(order));
  }

  /** Waits for the answer of an order that was {@linkplain #send sent}, as {@link #call} does. */
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

  /** The number of its process, as seen outside the lab; 0 when it has ended. */
  long pid() {
    // The process that we started is the one that entered the lab and waits.
    return process.children().findFirst().map(ProcessHandle::pid).orElse(0L);
  }

  String name() {
    return name;
  }

  @Nullable Integer exitStatus() {
    return process.isAlive() ? null : process.exitValue();
  }

  /** Ends the process: lets it finish what it does for some seconds, then kills it. */
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

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
