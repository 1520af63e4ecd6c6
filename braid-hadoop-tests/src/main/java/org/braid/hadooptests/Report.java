package org.braid.hadooptests;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of all classes that ran.
 *
 * @param rows one row for each class
 * @param differences of all classes
 * @param uncompared classes whose process with stock HDFS ended before any test, so that failures
 *     with Braid cannot be compared
 */
record Report(List<Row> rows, List<Difference> differences, List<String> uncompared) {
  /**
   * The outcomes of a class.
   *
   * @param stock empty when it need not run with stock HDFS because all its tests passed with Braid
   * @param commit the commit of Braid that ran; empty when unknown
   */
  record Row(String name, Optional<Outcome> stock, Outcome braid, String commit) {
    Optional<Outcome> of(TestedHdfs side) {
      return side == TestedHdfs.STOCK ? stock : Optional.of(braid);
    }
  }

  /** The one of no classes. */
  static final Report EMPTY = new Report(List.of(), List.of());

  Report {
    rows = List.copyOf(rows);
    differences = List.copyOf(differences);
    uncompared = List.copyOf(uncompared);
  }

  /** The one of classes that all had tests that ended. */
  Report(List<Row> rows, List<Difference> differences) {
    this(rows, differences, List.of());
  }

  /** Whether all classes were compared, and no test fails with Braid but expected ones. */
  boolean holds() {
    return uncompared.isEmpty() && !differs();
  }

  private boolean differs() {
    return differences.stream().anyMatch(Difference::counts);
  }

  /** Whether a class is here, and no test of it differs but expected ones. */
  private boolean holds(String name) {
    return rows.stream().anyMatch(row -> row.name().equals(name))
        && differences.stream().noneMatch(each -> each.name().equals(name) && each.counts());
  }

  /** Those of some classes that are missing from this report or differ. */
  List<String> open(List<String> names) {
    return names.stream().filter(name -> !holds(name)).toList();
  }

  /** Those of some classes that are missing from this report. */
  List<String> missing(List<String> names) {
    Set<String> here = rows.stream().map(Row::name).collect(Collectors.toSet());
    return names.stream().filter(name -> !here.contains(name)).toList();
  }

  /** This report, and of the classes that it lacks what an earlier one says. */
  Report after(Report earlier) {
    Set<String> names = rows.stream().map(Row::name).collect(Collectors.toSet());
    Stream<Row> earlierRows = earlier.rows.stream().filter(row -> !names.contains(row.name()));
    return new Report(
        Stream.concat(rows.stream(), earlierRows).sorted(Comparator.comparing(Row::name)).toList(),
        Stream.concat(
                differences.stream(),
                earlier.differences.stream().filter(each -> !names.contains(each.name())))
            .sorted(Comparator.comparing(Difference::name))
            .toList(),
        uncompared);
  }

  /** The text for people. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-6s %8s %8s %8s %8s %11s %10s %6s%n",
            "", "classes", "passed", "failed", "skipped", "broken off", "timed out", "died"));
    for (TestedHdfs side : TestedHdfs.values()) {
      text.append(
          String.format(
              "%-6s %8d %8d %8d %8d %11d %10d %6d%n",
              side.label(),
              count(side),
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
    if (!uncompared.isEmpty()) {
      text.append(String.format("%nEnded before any of their tests did: %d%n", uncompared.size()));
      uncompared.forEach(name -> text.append("  ").append(name).append(System.lineSeparator()));
    }
    text.append(System.lineSeparator()).append(conclusion()).append(System.lineSeparator());
    return text.toString();
  }

  private String conclusion() {
    if (differs()) {
      return "Tests fail with Braid that do not fail without it.";
    }
    return uncompared.isEmpty()
        ? "No test fails with Braid that does not fail without it, but those that are expected to."
        : "Not all classes could be compared: their logs say why.";
  }

  /** The output of {@code --json}. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ok", holds());
    List<Map<String, Object>> classes = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("class", row.name());
      for (TestedHdfs side : TestedHdfs.values()) {
        row.of(side).ifPresent(outcome -> fields.put(side.label(), json(outcome)));
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
    json.put("uncompared", uncompared);
    return json;
  }

  private static Map<String, Object> json(Outcome outcome) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("end", outcome.end().name().toLowerCase(Locale.ROOT));
    fields.put("seconds", outcome.seconds());
    for (TestState state : TestState.values()) {
      fields.put(state.line(), outcome.count(state));
    }
    return fields;
  }

  /** The classes that did not end well with stock HDFS, nor with Braid. */
  List<Row> failedOnBothSides() {
    return failedWithStock().filter(row -> !row.braid().clean()).toList();
  }

  /** The classes that ended well with Braid and not with stock HDFS. */
  List<Row> failedWithStockAlone() {
    return failedWithStock().filter(row -> row.braid().clean()).toList();
  }

  private Stream<Row> failedWithStock() {
    return rows.stream().filter(row -> row.stock().filter(stock -> !stock.clean()).isPresent());
  }

  List<Difference> of(Difference.Verdict verdict) {
    return differences.stream().filter(each -> each.verdict() == verdict).toList();
  }

  static String heading(Difference.Verdict verdict, int number) {
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

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Number of different commits of Braid that ran. */
  long commits() {
    return rows.stream().map(Row::commit).distinct().count();
  }

  /** Number of classes that ran with a side. */
  long count(TestedHdfs side) {
    return outcomes(side).count();
  }

  private Stream<Outcome> outcomes(TestedHdfs side) {
    return rows.stream().flatMap(row -> row.of(side).stream());
  }

  long count(TestedHdfs side, TestState state) {
    return outcomes(side).mapToLong(outcome -> outcome.count(state)).sum();
  }

  private long count(TestedHdfs side, ClassRun.End end) {
    return outcomes(side).filter(outcome -> outcome.end() == end).count();
  }
}
