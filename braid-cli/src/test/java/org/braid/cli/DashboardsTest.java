package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alerts ask for what daemons say: the list of names is what the real pages
 * had when they were scraped, and a test of the cluster fails when that changes.
 */
final class DashboardsTest {
  private static final String DIRECTORY = "release/dashboards/";
  private static final String NAME_NODE = "NameNode";

  /** What the one who scrapes adds. */
  private static final Set<String> OF_TARGETS = Set.of("cluster", "instance", "job");

  private static final Set<String> OF_THE_LANGUAGE =
      Set.of(
          "absent",
          "and",
          "by",
          "histogram_quantile",
          "increase",
          "max",
          "max_over_time",
          "min",
          "on",
          "or",
          "rate",
          "sum",
          "topk",
          "unless");

  private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b([a-z][a-z0-9_]*)\\b\\s*(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER =
      Pattern.compile("([a-z_]+)\\s*(=~|!=|!~|=)\\s*\"([^\"]*)\"");

  /** By name and daemon, the labels. */
  private static final Map<String, Map<String, Set<String>>> FIGURES = new TreeMap<>();

  private static JsonNode alerts;
  private static JsonNode cases;
  private static JsonNode dashboard;

  @BeforeAll
  static void read() throws IOException {
    for (String line : Project.text(DIRECTORY + "metrics.txt").lines().toList()) {
      String[] words = line.split(" ");
      FIGURES
          .computeIfAbsent(words[1], name -> new HashMap<>())
          .put(words[0], words.length < 4 ? Set.of("hastate") : Set.of(words[3].split(",")));
    }
    ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
    alerts = yaml.readTree(Project.text(DIRECTORY + "braid-alerts.yaml"));
    cases = yaml.readTree(Project.text(DIRECTORY + "braid-alerts-test.yaml"));
    dashboard = new ObjectMapper().readTree(Project.text(DIRECTORY + "braid-grafana.json"));
  }

  private static Map<String, JsonNode> rules() {
    Map<String, JsonNode> rules = new LinkedHashMap<>();
    for (JsonNode group : alerts.get("groups")) {
      for (JsonNode rule : group.get("rules")) {
        rules.put(rule.get("alert").asText(), rule);
      }
    }
    return rules;
  }

  /** All expressions, by where they stand. */
  private static Map<String, String> expressions() {
    Map<String, String> expressions = new LinkedHashMap<>();
    rules().forEach((name, rule) -> expressions.put(name, rule.get("expr").asText()));
    expressions.putAll(queries());
    return expressions;
  }

  private static Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        queries.put(
            panel.get("title").asText() + ": " + target.get("refId").asText(),
            target.get("expr").asText());
      }
    }
    return queries;
  }

  /** What is wrong with an expression. */
  private static List<String> faults(String expression) {
    List<String> faults = new ArrayList<>();
    Set<String> grouped = new TreeSet<>();
    Matcher grouping = GROUPING.matcher(expression);
    while (grouping.find()) {
      grouped.addAll(Arrays.asList(grouping.group(1).split("\\s*,\\s*")));
    }
    Set<String> known = new TreeSet<>(OF_TARGETS);
    int figures = 0;
    Matcher selector = SELECTOR.matcher(grouping.replaceAll(" ").replaceAll("\\[\\w+\\]", " "));
    while (selector.find()) {
      String name = selector.group(1);
      if (OF_THE_LANGUAGE.contains(name) && selector.group(2) == null) {
        continue;
      }
      Map<String, Set<String>> daemons = FIGURES.get(name);
      if (daemons == null) {
        faults.add("no daemon has " + name);
        continue;
      }
      figures++;
      Map<String, String> wanted = new HashMap<>();
      Matcher matcher = MATCHER.matcher(selector.group(2) == null ? "" : selector.group(2));
      while (matcher.find()) {
        wanted.put(matcher.group(1), matcher.group(2) + matcher.group(3));
      }
      Set<String> labels = new TreeSet<>();
      daemons.values().forEach(labels::addAll);
      known.addAll(labels);
      for (String label : wanted.keySet()) {
        if (!labels.contains(label) && !OF_TARGETS.contains(label)) {
          faults.add(name + " has no label " + label);
        }
      }
      boolean ofNameNodes =
          daemons.keySet().stream().allMatch(daemon -> Set.of(NAME_NODE, "HDFS").contains(daemon));
      if (ofNameNodes && !"=active".equals(wanted.get("hastate"))) {
        faults.add(name + " is asked of standby NameNodes, too");
      }
    }
    if (figures == 0) {
      faults.add("it asks for nothing");
    }
    grouped.stream()
        .filter(label -> !known.contains(label))
        .forEach(label -> faults.add("grouped by " + label + ", which nothing has"));
    return faults;
  }

  @Test
  void faultsOfExpressionsAreFound() {
    assertEquals(List.of(), faults("max by (cluster) (braid_stripes{hastate=\"active\"}) > 0"));
    assertEquals(
        List.of("no daemon has braid_stripe"), faults("rate(braid_stripe[5m]) + braid_leads"));
    assertEquals(
        List.of("braid_stripes is asked of standby NameNodes, too"), faults("sum(braid_stripes)"));
    assertEquals(
        List.of("braid_stripes is asked of standby NameNodes, too"),
        faults("sum(braid_stripes{hastate=~\"active|standby\"})"));
    assertEquals(List.of("braid_leads has no label state"), faults("braid_leads{state=\"lost\"}"));
    assertEquals(
        List.of("grouped by state, which nothing has"), faults("sum by (state) (braid_leads)"));
    assertEquals(List.of("it asks for nothing"), faults("absent(1)"));
  }

  @Test
  void everyExpressionAsksForWhatTheDaemonsSay() {
    Map<String, List<String>> faults = new TreeMap<>();
    expressions()
        .forEach(
            (where, expression) -> {
              if (!faults(expression).isEmpty()) {
                faults.put(where, faults(expression));
              }
            });
    assertEquals(Map.of(), faults);
    assertTrue(rules().size() >= 10, rules().keySet().toString());
    assertTrue(queries().size() >= 40, queries().size() + " queries");
  }

  @Test
  void thePanelsOfTheDashboardDoNotOverlap() {
    Set<Integer> ids = new TreeSet<>();
    Set<String> cells = new TreeSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue(ids.add(panel.get("id").asInt()), "two panels " + panel.get("id"));
      JsonNode at = panel.get("gridPos");
      assertTrue(at.get("x").asInt() + at.get("w").asInt() <= 24, panel.get("title").asText());
      for (int x = at.get("x").asInt(); x < at.get("x").asInt() + at.get("w").asInt(); x++) {
        for (int y = at.get("y").asInt(); y < at.get("y").asInt() + at.get("h").asInt(); y++) {
          assertTrue(cells.add(x + " " + y), panel.get("title").asText());
        }
      }
      for (JsonNode target : panel.path("targets")) {
        assertEquals("${datasource}", target.get("datasource").get("uid").asText());
      }
    }
  }

  @Test
  void everyAlertIsRaisedInACaseAndNotInAnother() {
    Map<String, Integer> raised = new TreeMap<>();
    Map<String, Integer> quiet = new TreeMap<>();
    for (JsonNode one : cases.get("tests")) {
      for (JsonNode alert : one.get("alert_rule_test")) {
        (alert.has("exp_alerts") ? raised : quiet)
            .merge(alert.get("alertname").asText(), 1, Integer::sum);
      }
    }
    assertEquals(new TreeSet<>(rules().keySet()), raised.keySet());
    assertEquals(new TreeSet<>(rules().keySet()), quiet.keySet());
  }

  /** The page for operators names every figure and says of every alert what to do. */
  @Test
  void operationsNamesAll() throws IOException {
    String all = Project.text("docs/OPERATIONS.md");
    int begin = all.indexOf("\n## Figures and alerts\n");
    assertTrue(begin > 0);
    String page = all.substring(begin, all.indexOf("\n## ", begin + 1));
    Set<String> named = matches("`((?:braid|fs)_[a-z0-9_]+)`", page);
    assertEquals(FIGURES.keySet(), named);
    assertEquals(
        new TreeSet<>(rules().keySet()), matches("(?m)^\\| `(Braid[A-Z]\\w+)` \\| \\w+ \\|", page));
    rules()
        .forEach(
            (name, rule) -> {
              assertTrue(
                  Set.of("critical", "warning", "info")
                      .contains(rule.get("labels").get("severity").asText()),
                  name);
              assertTrue(
                  page.contains(
                      "| `%s` | %s |".formatted(name, rule.get("labels").get("severity").asText())),
                  name + " and its severity");
              assertFalse(rule.get("annotations").get("summary").asText().isEmpty(), name);
              assertFalse(rule.get("annotations").get("action").asText().isEmpty(), name);
            });
  }

  private static Set<String> matches(String pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private record Ran(int status, String out) {}

  private static Ran promtool(Path directory, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out);
  }

  private static void assumePromtool() {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool"))),
        "Prometheus is not installed");
  }

  @Test
  void prometheusTakesTheAlertsAndRaisesThemInTheirCases(@TempDir Path directory) throws Exception {
    assumePromtool();
    Path own = Project.root().resolve(DIRECTORY);
    Ran checked = promtool(own, "check", "rules", "braid-alerts.yaml");
    assertEquals(0, checked.status(), checked.out());
    Ran tested = promtool(own, "test", "rules", "braid-alerts-test.yaml");
    assertEquals(0, tested.status(), tested.out());
    // An alert that comes from a standby, and one that never comes.
    for (String[] change :
        new String[][] {
          {"state=\"lost\"}) > 0", "state=\"lost\"}) > 100"},
          {"hastate=\"active\",state=\"at_risk\"", "state=\"at_risk\""}
        }) {
      String text = Project.text(DIRECTORY + "braid-alerts.yaml");
      assertTrue(text.contains(change[0]), change[0]);
      Files.writeString(directory.resolve("braid-alerts.yaml"), text.replace(change[0], change[1]));
      Files.copy(
          own.resolve("braid-alerts-test.yaml"),
          directory.resolve("braid-alerts-test.yaml"),
          StandardCopyOption.REPLACE_EXISTING);
      assertNotEquals(
          0, promtool(directory, "test", "rules", "braid-alerts-test.yaml").status(), change[1]);
    }
  }

  @Test
  void prometheusUnderstandsTheDashboard(@TempDir Path directory) throws Exception {
    assumePromtool();
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    int number = 0;
    for (String query : queries().values()) {
      String plain = query.replace("$cluster", ".*");
      assertFalse(plain.contains("$"), query);
      rules.append("      - record: q").append(number++).append("\n        expr: '");
      rules.append(plain.replace("'", "''")).append("'\n");
    }
    Files.writeString(directory.resolve("dashboard.yaml"), rules);
    Ran checked = promtool(directory, "check", "rules", "dashboard.yaml");
    assertEquals(0, checked.status(), checked.out());
    assertTrue(checked.out().contains(number + " rules found"), checked.out());
  }
}
