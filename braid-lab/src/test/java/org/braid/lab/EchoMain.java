package org.braid.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/** A program that takes commands: says where it is, fails, or ends, as it is told. */
final class EchoMain {
  private EchoMain() {}

  public static void main(String[] args) throws Exception {
    ObjectMapper json = new ObjectMapper();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("not an answer");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode asked = json.readTree(line);
      ObjectNode said = json.createObjectNode().put("id", asked.path("id").asLong());
      switch (asked.path("command").asText()) {
        case "fail" -> said.put("error", "told to");
        case "end" -> {
          System.err.println("ends as told");
          System.exit(1);
        }
        case "wait" -> Thread.sleep(3_000);
        default -> said.put("answer", InetAddress.getLocalHost().getHostAddress() + " " + args[0]);
      }
      System.out.println(json.writeValueAsString(said));
    }
  }
}
