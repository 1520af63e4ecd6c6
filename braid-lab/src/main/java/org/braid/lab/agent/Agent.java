package org.braid.lab.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The process on the loader's host. Executes the commands {@code start-flows}, {@code count-flows},
 * {@code stop-flows} and {@code get}, which fetches a page, in the protocol of {@link
 * org.braid.lab.Driver}.
 */
public final class Agent {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MILLIS = 5_000;

  private final Map<String, List<RunningFlow>> flows = new HashMap<>();

  private Agent() {}

  /** Runs until standard input ends. */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    Agent agent = new Agent();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode asked = JSON.readTree(line);
      ObjectNode said = JSON.createObjectNode().put("id", asked.path("id").asLong());
      try {
        said.set("answer", agent.answer(asked.path("command")));
      } catch (IOException | RuntimeException e) {
        said.put("error", String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        break;
      }
      out.println(JSON.writeValueAsString(said));
      out.flush();
    }
    System.exit(0);
  }

  private ObjectNode answer(JsonNode command) throws IOException, InterruptedException {
    ObjectNode answer = JSON.createObjectNode();
    String name = command.path("name").asText();
    switch (command.path("do").asText()) {
      case "get" -> answer.put("body", get(command.path("url").asText()));
      case "start-flows" -> start(name, command.path("flows"));
      case "count-flows" -> {
        ArrayNode received = answer.putArray("received");
        flows.getOrDefault(name, List.of()).forEach(flow -> received.add(flow.received()));
      }
      case "stop-flows" -> stop(name);
      default -> throw new IOException("unknown command " + command);
    }
    return answer;
  }

  private void start(String name, JsonNode wanted) throws IOException, InterruptedException {
    List<RunningFlow> started = new ArrayList<>();
    flows.put(name, started);
    try {
      for (JsonNode flow : wanted) {
        RunningFlow running =
            new RunningFlow(
                flow.path("from").asText(),
                flow.path("to").asText(),
                flow.path("address").asText(),
                flow.path("udp").asBoolean(),
                flow.path("rate").asDouble());
        started.add(running);
        running.start();
      }
    } catch (IOException e) {
      stop(name);
      throw e;
    }
  }

  private void stop(String name) {
    List<RunningFlow> running = flows.remove(name);
    if (running != null) {
      running.forEach(RunningFlow::stop);
    }
  }

  /** The text of a page; empty while no server answers. */
  private static String get(String url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return "";
    }
  }
}
