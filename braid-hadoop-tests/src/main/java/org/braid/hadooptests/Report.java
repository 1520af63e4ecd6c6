package org.braid.hadooptests;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is said of all classes that ran.
 *
 * @param rows a class each
 * @param differences of all classes
 */
record Report(List<Row> rows, List<Difference> differences) {
  /** The first runs of a class. */
  record Row(String name, ClassRun stock, ClassRun braid) {
    ClassRun of(Side side) {
      return side == Side.STOCK ? stock : braid;
    }
  }

  Report {
    rows = List.copyOf(rows);
    differences = List.copyOf(differences);
  }

  /** Whether no test fails with Braid but expected ones. */
  boolean holds() {
    return differences.stream().noneMatch(Difference::counts);
  }

  /** The text for people. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-6s %8s %8s %8s %8s %11s %10s %6s%n",
            "", "classes", "passed", "failed", "skipped", "broken off", "timed out", "died"));
    for (Side side : Side.values()) {
      text.append(
          String.format(
              "%-6s %8d %8d %8d %8d %11d %10d %6d%n",
              side.label(),
              rows.size(),
              count(side, TestState.PASSED),
              count(side, TestState.FAILED),
              count(side, TestState.SKIPPED),
              count(side, TestState.BROKEN_OFF),
              count(side, ClassRun.End.TIMED_OUT),
              count(side, ClassRun.End.DIED)));
    }
    for (Difference.Verdict verdict : Difference.Verdict.values()) {
      List<Difference> some = of(verdict);
      if (some.isEmpty()) {
        continue;
      }
      text.append(String.format("%n%s%n", heading(verdict, some.size())));
      some.forEach(each -> text.append("  ").append(line(each)).append(System.lineSeparator()));
    }
    text.append(
        holds()
            ? String.format(
                "%nNo test fails with Braid that passes without it, but those that are expected to.%n")
            : String.format("%nTests fail with Braid that pass without it.%n"));
    return text.toString();
  }

  /** The page for the documentation. */
  String page(String hadoop, String command) {
    StringBuilder page = new StringBuilder();
    page.append("# Hadoop's own tests\n\n");
    page.append(
        String.format(
            "Classes of tests of HDFS %s, each run with stock HDFS and with Braid, on JDK %d.\n",
            hadoop, Runtime.version().feature()));
    page.append("Written by\n\n    ").append(command).append("\n\n");
    page.append(
        "| | classes | passed | failed | skipped | broken off |\n|---|---|---|---|---|---|\n");
    for (Side side : Side.values()) {
      page.append(
          String.format(
              "| %s | %d | %d | %d | %d | %d |\n",
              side.label(),
              rows.size(),
              count(side, TestState.PASSED),
              count(side, TestState.FAILED),
              count(side, TestState.SKIPPED),
              count(side, TestState.BROKEN_OFF)));
    }
    page.append(
        "\nTests that fail on both sides want what this machine or the class path does not have.\n");
    page.append("A test that is broken off did not end before its process did.\n");
    for (Difference.Verdict verdict : Difference.Verdict.values()) {
      List<Difference> some = of(verdict);
      page.append("\n## ").append(heading(verdict, some.size())).append("\n\n");
      if (some.isEmpty()) {
        page.append("None.\n");
        continue;
      }
      page.append("| test | failed stock | failed with Braid | why |\n|---|---|---|---|\n");
      for (Difference each : some) {
        page.append(
            String.format(
                "| %s#%s | %d of %d | %d of %d | %s |\n",
                simple(each.name()),
                each.test(),
                each.stockFailed(),
                each.stockRuns(),
                each.braidFailed(),
                each.braidRuns(),
                cell(each.reason())));
      }
    }
    page.append("\n## Classes\n\n");
    page.append(
        "Numbers of tests that passed / failed / were skipped / were broken off, and seconds.\n\n");
    page.append("| class | stock | | Braid | |\n|---|---|---|---|---|\n");
    for (Row row : rows) {
      page.append(
          String.format(
              "| %s | %s | %.0f | %s | %.0f |\n",
              row.name().replace("org.apache.hadoop.", ""),
              counts(row.stock()),
              row.stock().seconds(),
              counts(row.braid()),
              row.braid().seconds()));
    }
    return page.toString();
  }

  /** What {@code --json} prints. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ok", holds());
    List<Map<String, Object>> classes = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("class", row.name());
      for (Side side : Side.values()) {
        fields.put(side.label(), json(row.of(side)));
      }
      classes.add(fields);
    }
    json.put("classes", classes);
    List<Map<String, Object>> found = new ArrayList<>();
    for (Difference each : differences) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("class", each.name());
      fields.put("test", each.test());
      fields.put("verdict", each.verdict().name().toLowerCase(Locale.ROOT));
      fields.put("reason", each.reason());
      fields.put("stock_failed", each.stockFailed());
      fields.put("stock_runs", each.stockRuns());
      fields.put("braid_failed", each.braidFailed());
      fields.put("braid_runs", each.braidRuns());
      found.add(fields);
    }
    json.put("differences", found);
    return json;
  }

  private static Map<String, Object> json(ClassRun run) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("end", run.end().name().toLowerCase(Locale.ROOT));
    fields.put("seconds", run.seconds());
    for (TestState state : TestState.values()) {
      fields.put(state.line(), run.count(state));
    }
    return fields;
  }

  /** The numbers of a run: passed, failed, skipped, broken off. */
  static String counts(ClassRun run) {
    Map<TestState, Long> counts = new EnumMap<>(TestState.class);
    for (TestState state : TestState.values()) {
      counts.put(state, run.count(state));
    }
    String numbers =
        counts.values().stream().map(String::valueOf).collect(Collectors.joining(" / "));
    return switch (run.end()) {
      case COMPLETE -> numbers;
      case TIMED_OUT -> numbers + ", timed out";
      case DIED -> numbers + ", died";
    };
  }

  private List<Difference> of(Difference.Verdict verdict) {
    return differences.stream().filter(each -> each.verdict() == verdict).toList();
  }

  private static String heading(Difference.Verdict verdict, int number) {
    return switch (verdict) {
      case EXPECTED -> "Expected to fail with Braid: " + number;
      case FLAKY -> "Failed once with Braid, or with stock HDFS, too: " + number;
      case ONCE -> "Failed with Braid, not repeated: " + number;
      case DIFFERENT -> "Fail with Braid and not without: " + number;
    };
  }

  private static String line(Difference each) {
    return String.format(
        "%s#%s  stock %d of %d, braid %d of %d: %s",
        simple(each.name()),
        each.test(),
        each.stockFailed(),
        each.stockRuns(),
        each.braidFailed(),
        each.braidRuns(),
        each.reason());
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private long count(Side side, TestState state) {
    return rows.stream().mapToLong(row -> row.of(side).count(state)).sum();
  }

  private long count(Side side, ClassRun.End end) {
    return rows.stream().filter(row -> row.of(side).end() == end).count();
  }
}
