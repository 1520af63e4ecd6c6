package org.braid.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.braid.experiment.ExperimentException;
import org.braid.lab.daemon.Daemons;

/** Reads the JMX pages of daemons through an agent in the lab. */
final class JmxMetrics implements Daemons.Metrics {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Driver agent;

  JmxMetrics(Driver agent) {
    this.agent = agent;
  }

  @Override
  public Optional<JsonNode> bean(String host, int port, String name)
      throws ExperimentException, InterruptedException {
    ObjectNode command = JSON.createObjectNode().put("do", "get");
    command.put("url", "http://%s:%d/jmx?qry=%s".formatted(host, port, name));
    String body = agent.call(command).path("answer").path("body").asText("");
    try {
      JsonNode beans = JSON.readTree(body).path("beans");
      return beans.has(0) ? Optional.of(beans.get(0)) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
