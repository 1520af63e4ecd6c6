package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.page.BraidPage;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.Plugins;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real Chromium, in the middle of a conversion on a cluster that lost a node. Where
 * {@code chromium} is not on the path this is not tested. The pictures stay in {@code target}.
 */
final class BraidPageBrowserTest {
  private static final Random RANDOM = Seeds.random(BraidPageBrowserTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int STRIPES = 24;
  private static final int DONE = 9;

  private static ClusterFixture fixture;

  @TempDir private Path profile;

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "chromium"))),
        "chromium is not on the path");
    fixture = new ClusterFixture(6, 12);
  }

  @AfterAll
  static void stop() throws Exception {
    InjectedFaults.clear();
    if (fixture != null) {
      fixture.close();
    }
  }

  private static JsonNode json() throws Exception {
    return new ObjectMapper().readTree(Scrape.get(fixture.hdfs.webAddress(), "/braid.json"));
  }

  /** Runs Chromium, which finds no host but this one. */
  private String chromium(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
                "--user-data-dir=" + profile));
    command.addAll(List.of(options));
    command.add("http://" + fixture.hdfs.webAddress() + "/braid");
    Path errors = profile.resolveSibling("chromium.log");
    Path output = profile.resolveSibling("chromium.out");
    Process browser =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(browser.waitFor(120, TimeUnit.SECONDS), "chromium does not end");
    } finally {
      browser.destroyForcibly();
    }
    assertEquals(0, browser.exitValue(), Files.readString(errors));
    return Files.readString(output, StandardCharsets.UTF_8);
  }

  /** How light a picture is on the whole, 0 to 255. */
  private static double brightness(Path picture) throws Exception {
    BufferedImage image = ImageIO.read(picture.toFile());
    assertEquals(1200, image.getWidth());
    double sum = 0;
    long pixels = 0;
    for (int x = 0; x < image.getWidth(); x += 7) {
      for (int y = 0; y < image.getHeight(); y += 7) {
        int colour = image.getRGB(x, y);
        sum += ((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255)) / 3.0;
        pixels++;
      }
    }
    return sum / pixels;
  }

  private Path picture(String name, int scheme) throws Exception {
    Path picture = Path.of("target", "page-" + name + ".png").toAbsolutePath();
    Files.deleteIfExists(picture);
    chromium(
        "--window-size=1200,2600",
        "--blink-settings=preferredColorScheme=" + scheme,
        "--screenshot=" + picture);
    return picture;
  }

  private static void policy() throws Exception {
    Policy cold =
        Policy.of(
            "cold-logs",
            true,
            Action.CONVERT,
            Map.of("path", "/logs/**", "code", "rs-4-2", "older-than", "30d"));
    Policy hot =
        Policy.of("hot", false, Action.RESTORE, Map.of("path", "/logs/**", "read-within", "7d"));
    try (Cluster cluster = fixture.braid()) {
      cluster
          .policies()
          .change("add cold-logs", before -> before.with(new PolicySet(List.of(cold, hot))));
    }
  }

  /** A file is converted, a node is lost, another file is being converted and waits. */
  private static Future<ConvertReport> begin(
      ExecutorService threads, CountDownLatch go, BraidPage page) throws Exception {
    page.sample();
    policy();
    fixture.write("/logs/a", 12 * 4 * BLOCK, 3, RANDOM);
    page.sample();
    fixture.convertAll("rs-4-2", "/logs/a");
    fixture.write("/logs/b", STRIPES * 4 * BLOCK, 3, RANDOM);
    Thread.sleep(5500); // DataNodes say every five seconds what they moved
    page.sample();
    fixture.hdfs.stopNode(fixture.heaviestNode());
    AtomicInteger published = new AtomicInteger();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_PUBLISHED && published.incrementAndGet() > DONE) {
            try {
              assertTrue(go.await(5, TimeUnit.MINUTES), "nobody went on");
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    return threads.submit(() -> fixture.convertAll("rs-4-2", "/logs/b"));
  }

  @Test
  void aBrowserShowsTheClusterAsItIs() throws Exception {
    BraidPage page = Plugins.of(fixture.hdfs.nameNode()).page();
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<ConvertReport> converted = begin(threads, go, page);
      Await.until(
          "the conversion to be in its middle",
          PATIENCE,
          BraidPageBrowserTest::json,
          seen ->
              seen.path("lease").path("work").path("done").asLong() > 0
                  && seen.at("/stripes/degraded").asLong() > 0
                  && seen.at("/policies/policies").size() == 2);
      page.sample();
      String shown = chromium("--dump-dom");
      assertTrue(shown.contains("<strong>degraded</strong>"), shown);
      assertTrue(shown.contains("1 DataNode not answering"), shown);
      assertTrue(shown.contains("<progress max=\"" + STRIPES + "\""), shown);
      assertTrue(shown.contains("<b>convert at "), shown);
      assertTrue(shown.contains("cold-logs"), shown);
      assertEquals(4, shown.split("<svg", -1).length - 1, shown);
      double light = brightness(picture("light", 1));
      double dark = brightness(picture("dark", 0));
      assertTrue(light > 200, "light: " + light);
      assertTrue(dark < 70, "dark: " + dark);
      go.countDown();
      converted.get(2, TimeUnit.MINUTES);
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
  }
}
