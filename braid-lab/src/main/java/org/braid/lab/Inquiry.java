package org.braid.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.braid.experiment.ExperimentException;
import org.braid.lab.daemon.Daemons;

/** Asks daemons what they tell of themselves over HTTP. */
final class Inquiry implements Daemons.Metrics {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Driver agent;

  Inquiry(Driver agent) {
    this.agent = agent;
  }

  @Override
  public Optional<JsonNode> bean(String host, int port, String name)
      throws ExperimentException, InterruptedException {
    ObjectNode order = JSON.createObjectNode().put("do", "get");
    order.put("url", "http://%s:%d/jmx?qry=%s".formatted(host, port, name));
    String body = agent.call(order).path("answer").path("body").asText("");
    try {
      JsonNode beans = JSON.readTree(body).path("beans");
      return beans.has(0) ? Optional.of(beans.get(0)) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
