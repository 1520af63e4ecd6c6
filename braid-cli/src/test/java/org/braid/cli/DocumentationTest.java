package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages say of code, commands and each other is there. */
final class DocumentationTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern PROPERTY = Pattern.compile("\"(braid\\.[a-z.-]+[a-z])\"");

  @Test
  void readmeIsShort() throws IOException {
    long lines = Project.text("README.md").lines().count();
    assertTrue(lines < 200, "README.md has " + lines + " lines");
  }

  @ParameterizedTest
  @MethodSource("org.braid.cli.Project#pages")
  void linksLeadSomewhere(String page) throws IOException {
    Path file = Project.root().resolve(page);
    List<String> dead = new ArrayList<>();
    for (String link : matches(LINK, Files.readString(file))) {
      if (link.startsWith("http")) {
        continue;
      }
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]);
      if (!Files.exists(target)
          || (parts.length == 2 && !anchors(Files.readString(target)).contains(parts[1]))) {
        dead.add(link);
      }
    }
    assertEquals(List.of(), dead, "dead links of " + page);
  }

  /** Who installs a release has no other pages. */
  @Test
  void aReleaseHasThePagesThatItsOwnLinkTo() throws IOException {
    String docs =
        Project.text("release/assembly.xml")
            .replaceFirst("(?s).*/docs</directory>(.*?)</fileSet>.*", "$1");
    List<PathMatcher> included =
        matches(Pattern.compile("<include>([^<]+)</include>"), docs).stream()
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
            .toList();
    List<String> left = new ArrayList<>();
    for (String link : matches(LINK, Project.text("docs/OPERATIONS.md"))) {
      String page = link.replaceFirst("#.*", "");
      if (!page.isEmpty()
          && !link.startsWith("http")
          && included.stream().noneMatch(pages -> pages.matches(Path.of(page)))) {
        left.add(page);
      }
    }
    assertEquals(List.of(), left, "pages that docs/OPERATIONS.md links to");
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "CONTRIBUTING.md"})
  void testsThatCommandsNameExist(String page) throws IOException {
    Set<String> tests = names(Project.testCode());
    Set<String> named = matches(Pattern.compile("-Dtest='?(\\w+)"), Project.text(page));
    assertFalse(named.isEmpty(), page + " names no test");
    named.removeAll(tests);
    assertEquals(Set.of(), named, "tests that " + page + " names and that do not exist");
  }

  /** Of classes of tests, with or without a method. */
  @ParameterizedTest
  @MethodSource("org.braid.cli.Project#pages")
  void testsThatPagesNameExist(String page) throws IOException {
    Map<String, Set<String>> tests = tests();
    assertTrue(tests.get("DocumentationTest").contains("testsThatPagesNameExist"));
    Set<String> named =
        matches(Pattern.compile("`(\\w+Test(?:#\\w+)?)`"), Project.text(page)).stream()
            .filter(name -> !isThere(tests, name.split("#", 2)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), named, "tests that " + page + " names and that do not exist");
  }

  private static boolean isThere(Map<String, Set<String>> tests, String[] name) {
    Set<String> methods = tests.get(name[0]);
    return methods != null && (name.length == 1 || methods.contains(name[1]));
  }

  static List<String> attacks() throws IOException {
    return names(Project.testCode()).stream()
        .filter(name -> name.endsWith("AttacksTest"))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void everyAttackIsListed(String test) throws IOException {
    Set<String> attacks = tests().get(test);
    assertTrue(attacks.size() > 5, test + " has " + attacks);
    assertEquals(
        attacks,
        matches(Pattern.compile("`" + test + "#(\\w+)`"), Project.text("docs/ATTACKS.md")),
        "tests of " + test + " that docs/ATTACKS.md lists");
  }

  /** The methods of all classes of tests that are tests. */
  private static Map<String, Set<String>> tests() throws IOException {
    Pattern test =
        Pattern.compile("@(?:Parameterized|Repeated)?Test\\b[^{]*?(?:\\)\\s|\\s)void (\\w+)\\(");
    Map<String, Set<String>> tests = new TreeMap<>();
    for (Path file : Project.testCode()) {
      tests.put(
          file.getFileName().toString().replaceFirst("\\.java$", ""),
          matches(test, Files.readString(file)));
    }
    return tests;
  }

  @Test
  void classesThatSettingsNameExist() throws IOException {
    Set<String> named =
        matches(
            Pattern.compile("`(org\\.braid\\.[a-z.]+\\.[A-Z]\\w+)`"),
            Project.text("docs/OPERATIONS.md"));
    assertTrue(named.size() >= 5, "classes seen: " + named);
    for (Path file : Project.mainCode()) {
      String path = file.toString().replace('/', '.');
      named.removeIf(name -> path.endsWith("." + name + ".java"));
    }
    assertEquals(Set.of(), named, "classes that docs/OPERATIONS.md names and that do not exist");
  }

  @Test
  void classesOfTheArchitectureExist() throws IOException {
    Set<String> named =
        matches(Pattern.compile("`(?:[a-z]\\w*\\.)*([A-Z]\\w*)`"), Project.text("ARCHITECTURE.md"));
    assertTrue(named.size() > 50, "classes seen: " + named);
    named.removeAll(names(Project.mainCode()));
    named.removeAll(names(Project.testCode()));
    assertEquals(Set.of(), named, "classes that ARCHITECTURE.md names and that do not exist");
  }

  @Test
  void packagesOfTheArchitectureExist() throws IOException {
    Set<String> named =
        matches(Pattern.compile("`(org\\.braid[a-z.]*)`"), Project.text("ARCHITECTURE.md"));
    assertTrue(named.size() > 10, "packages seen: " + named);
    for (Path file : Project.mainCode()) {
      String path = file.toString().replace('/', '.');
      named.removeIf(name -> path.contains(".java." + name + "."));
    }
    assertEquals(Set.of(), named, "packages that ARCHITECTURE.md names and that do not exist");
  }

  @Test
  void everyModuleIsInTableAndPicture() throws IOException {
    Set<String> modules =
        matches(Pattern.compile("<module>([^<]+)</module>"), Project.text("pom.xml"));
    assertEquals(
        modules,
        matches(Pattern.compile("(?m)^\\| `(braid-[a-z-]+)` \\|"), Project.text("ARCHITECTURE.md")),
        "modules of the table in ARCHITECTURE.md");
    assertEquals(
        modules,
        matches(Pattern.compile("\\b(braid-[a-z-]+)\\b"), Project.text("docs/architecture.svg")),
        "modules of docs/architecture.svg");
  }

  @Test
  void operationsListsEveryProperty() throws IOException {
    Set<String> properties = new TreeSet<>();
    for (Path file : Project.mainCode()) {
      if (file.toString().contains("/braid-hdfs/") && !file.endsWith("setting/Settings.java")) {
        properties.addAll(matches(PROPERTY, Files.readString(file)));
      }
    }
    assertTrue(properties.contains("braid.repair.delay"), "properties seen: " + properties);
    // Each is checked where its reader starts.
    assertEquals(
        properties,
        Settings.ALL.stream().map(Setting::name).collect(Collectors.toCollection(TreeSet::new)));
    Set<String> listed =
        matches(Pattern.compile("`(braid\\.[a-z.-]+[a-z])`"), Project.text("docs/OPERATIONS.md"));
    Set<String> missing = new TreeSet<>(properties);
    missing.removeAll(listed);
    assertEquals(Set.of(), missing, "properties that docs/OPERATIONS.md leaves out");
    listed.removeAll(properties);
    assertEquals(Set.of(), listed, "properties of docs/OPERATIONS.md that nothing reads");
  }

  private static Set<String> matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(List<Path> files) {
    return files.stream()
        .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
        .collect(Collectors.toSet());
  }

  /** The names by which headings are linked to. */
  private static Set<String> anchors(String page) {
    return page.lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
