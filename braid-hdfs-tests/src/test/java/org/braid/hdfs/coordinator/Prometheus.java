package org.braid.hdfs.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.testkit.embedded.ServerPorts;
import org.braid.testing.Await;

/** A Prometheus that asks a web server once a second, where it is installed. */
final class Prometheus implements AutoCloseable {
  private final Process process;
  private final String address;

  private Prometheus(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, "prometheus")));
  }

  /**
   * Starts it.
   *
   * @param target the host and port of the web server
   * @param rules a file of alerts
   */
  static Prometheus start(String target, Path rules, Path directory) throws Exception {
    Path file = directory.resolve("prometheus.yml");
    Files.writeString(
        file,
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: ['%s']
        scrape_configs:
          - job_name: hdfs
            metrics_path: /prom
            static_configs: [{targets: ['%s']}]
        """
            .formatted(rules.toAbsolutePath().normalize(), target));
    String address = "127.0.0.1:" + ServerPorts.free(1).get(0);
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(new File("target/prometheus.log"))
            .start();
    Prometheus started = new Prometheus(process, address);
    Await.until("Prometheus to be ready", started::isReady);
    return started;
  }

  private boolean isReady() throws Exception {
    try {
      return Scrape.get(address, "/-/ready").contains("Ready");
    } catch (ConnectException | AssertionError e) {
      return false;
    }
  }

  /** What it answers to a call of its interface. */
  JsonNode ask(String call) throws Exception {
    return new ObjectMapper().readTree(Scrape.get(address, "/api/v1/" + call)).get("data");
  }

  /** The result of an expression; one that it does not understand is an error. */
  JsonNode query(String expression) throws Exception {
    return ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .get("result");
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
