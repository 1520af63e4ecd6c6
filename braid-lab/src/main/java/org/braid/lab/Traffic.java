package org.braid.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.experiment.ExperimentException;

/** Flows that are under way. */
public final class Traffic implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final Driver agent;

  Traffic(String name, Driver agent) {
    this.name = name;
    this.agent = agent;
  }

  /** Bytes of payload that each flow has brought so far, in order. */
  public List<Long> each() throws ExperimentException, InterruptedException {
    List<Long> bytes = new ArrayList<>();
    for (JsonNode flow : agent.call(order("count-flows")).path("answer").path("received")) {
      bytes.add(flow.asLong());
    }
    return bytes;
  }

  /** Bytes of payload that all flows together have brought so far. */
  public long received() throws ExperimentException, InterruptedException {
    return each().stream().mapToLong(Long::longValue).sum();
  }

  private ObjectNode order(String what) {
    return JSON.createObjectNode().put("do", what).put("name", name);
  }

  /** Ends the flows. */
  @Override
  public void close() throws ExperimentException, InterruptedException {
    agent.call(order("stop-flows"));
  }
}
