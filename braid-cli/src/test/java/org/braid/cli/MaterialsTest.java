package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a release consists of, and under which licences. */
@Tag("slow")
final class MaterialsTest {
  private static final Pattern VERSION = Pattern.compile("-[0-9].*");

  @TempDir static Path directory;
  private static Path release;

  @BeforeAll
  static void unpack() throws Exception {
    release = HadoopLayout.in(directory).release;
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> lib = Files.list(release.resolve("lib"));
        Stream<Path> plugins = Files.list(release.resolve("plugins"))) {
      return Stream.concat(lib, plugins)
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .toList();
    }
  }

  private static String name(Path jar) {
    return VERSION.matcher(jar.getFileName().toString()).replaceFirst("");
  }

  @Test
  void everyLibraryOfOthersIsNamedAndNoOther() throws IOException {
    Set<String> others =
        jars().stream()
            .map(MaterialsTest::name)
            .filter(name -> !name.startsWith("braid-"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(others.size() > 10, others.toString());
    String text = Files.readString(release.resolve("THIRD-PARTY"));
    Set<String> named = new TreeSet<>();
    for (String part : text.substring(text.indexOf("\n\n")).split("[,\n]")) {
      named.add(part.strip().replaceFirst(" .*", ""));
    }
    named.remove("");
    assertEquals(others, named);
  }

  /** Of a packaged release: whoever watches vulnerabilities is to miss no jar. */
  @Test
  void theBillOfMaterialsHasEveryJarAsItIs() throws Exception {
    Path bill = release.resolve("bom.json");
    assumeTrue(System.getProperty("braid.release") != null, "only a packaged release has one");
    Map<String, JsonNode> components = new HashMap<>();
    for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).get("components")) {
      String file = component.get("name").asText() + "-" + component.get("version").asText();
      components.put(file + ".jar", component);
      assertTrue(component.path("licenses").size() > 0, file + " has no licence");
    }
    assertTrue(components.containsKey("hadoop-hdfs-client-3.5.0.jar"));
    for (Path jar : jars()) {
      String file = jar.getFileName().toString();
      if (name(jar).equals("braid-cli")) {
        continue; // what the bill is of
      }
      JsonNode component = components.get(file);
      assertTrue(component != null, file + " is not among " + components.keySet());
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      assertTrue(
          component.get("hashes").toString().contains(HexFormat.of().formatHex(digest)), file);
    }
  }
}
