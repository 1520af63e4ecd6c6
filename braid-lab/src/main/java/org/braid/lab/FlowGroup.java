package org.braid.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.experiment.ExperimentException;

/** Flows that run until they are closed. */
public final class FlowGroup implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final Driver agent;

  FlowGroup(String name, Driver agent) {
    this.name = name;
    this.agent = agent;
  }

  /** Bytes of payload that each flow has delivered, in order. */
  public List<Long> each() throws ExperimentException, InterruptedException {
    List<Long> bytes = new ArrayList<>();
    for (JsonNode flow : agent.call(command("count-flows")).path("answer").path("received")) {
      bytes.add(flow.asLong());
    }
    return bytes;
  }

  /** Bytes of payload that all flows have delivered. */
  public long received() throws ExperimentException, InterruptedException {
    return each().stream().mapToLong(Long::longValue).sum();
  }

  private ObjectNode command(String what) {
    return JSON.createObjectNode().put("do", what).put("name", name);
  }

  /** Ends the flows. */
  @Override
  public void close() throws ExperimentException, InterruptedException {
    agent.call(command("stop-flows"));
  }
}
