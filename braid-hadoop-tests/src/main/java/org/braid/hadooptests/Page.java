package org.braid.hadooptests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The results as a page of the documentation, from which a later run goes on. */
final class Page {
  private static final String PREFIX = "org.apache.hadoop.";
  private static final Pattern OF = Pattern.compile("(\\d+) of (\\d+)");
  private static final Pattern SECONDS = Pattern.compile("\\d+");

  private Page() {}

  /**
   * Writes it.
   *
   * @param hadoop the version of Hadoop
   * @param classes all classes of its tests
   * @param without why some of them have no results
   */
  static String text(Report report, String hadoop, List<String> classes, KnownDifferences without) {
    List<String> missing = report.missing(classes);
    StringBuilder page = new StringBuilder();
    page.append("# Hadoop's own tests\n\n");
    page.append(
        String.format(
            "The tests are those of Hadoop %1$s, and ran with %1$s. Hadoop's own tests of 3.4 were not run: ",
            hadoop));
    page.append("[COMPATIBILITY.md](COMPATIBILITY.md) has what was run with 3.4.\n\n");
    page.append(
        String.format(
            "%d of the %d classes of tests of HDFS %s have run with Braid, %d of them with stock HDFS, too, on JDK %d.\n",
            report.rows().size(),
            classes.size(),
            hadoop,
            report.count(TestedHdfs.STOCK),
            Runtime.version().feature()));
    page.append(
        String.format(
            "All tests of the other %d passed with Braid, so that none of these can differ.\n",
            report.rows().size() - report.count(TestedHdfs.STOCK)));
    page.append(
        String.format(
            "The [classes without results](#classes-without-results-%1$d), %1$d of them, stand below by name.\n",
            missing.size()));
    page.append(
        String.format(
            "The results come from different states of Braid (%d), as a class that is on the page does not run again: "
                + "its row names the commit, with `+` behind it where changes were not committed yet, "
                + "and with `before` where an older state ran whose commit was not recorded.\n",
            report.commits()));
    page.append("Written by this command, which goes on with the classes that are missing\n\n");
    page.append(
        "    braid-hadoop-tests/run --stock needed --page docs/HADOOP-TESTS.md --missing all\n\n");
    page.append(
        "| | classes | passed | failed | skipped | broken off |\n|---|---|---|---|---|---|\n");
    for (TestedHdfs side : TestedHdfs.values()) {
      page.append(String.format("| %s | %d |", side.label(), report.count(side)));
      for (TestState state : TestState.values()) {
        page.append(String.format(" %d |", report.count(side, state)));
      }
      page.append("\n");
    }
    page.append(
        "\nTests that fail on both sides, or with stock HDFS alone, tell nothing of Braid: their classes stand below.\n");
    page.append("A test that is broken off did not end before its process did.\n");
    for (Difference.Verdict verdict : Difference.Verdict.values()) {
      append(page, verdict, report.of(verdict));
    }
    append(page, "Classes with failures on both sides", report.failedOnBothSides());
    append(page, "Classes with failures with stock HDFS alone", report.failedWithStockAlone());
    append(page, missing, without);
    page.append("\n## Classes\n\n");
    page.append(
        "Numbers of tests that passed / failed / were skipped / were broken off, seconds, and the commit of Braid.\n\n");
    page.append("| class | stock | | Braid | | commit |\n|---|---|---|---|---|---|\n");
    for (Report.Row row : report.rows()) {
      page.append(
          String.format(
              "| %s | %s | %s | %s | %.0f | %s |\n",
              shortName(row.name()),
              row.stock().map(Outcome::numbers).orElse(""),
              row.stock().map(stock -> String.format("%.0f", stock.seconds())).orElse(""),
              row.braid().numbers(),
              row.braid().seconds(),
              row.commit()));
    }
    return page.toString();
  }

  private static void append(
      StringBuilder page, Difference.Verdict verdict, List<Difference> differences) {
    page.append("\n## ").append(Report.heading(verdict, differences.size())).append("\n\n");
    if (differences.isEmpty()) {
      page.append("None.\n");
      return;
    }
    page.append("| test | failed stock | failed with Braid | why |\n|---|---|---|---|\n");
    for (Difference each : differences) {
      page.append(
          String.format(
              "| %s#%s | %d of %d | %d of %d | %s |\n",
              shortName(each.name()),
              escaped(each.test()),
              each.stockFailed(),
              each.stockRuns(),
              each.braidFailed(),
              each.braidRuns(),
              escaped(each.reason())));
    }
  }

  private static void append(StringBuilder page, String heading, List<Report.Row> rows) {
    page.append(String.format("\n## %s: %d\n\n", heading, rows.size()));
    if (rows.isEmpty()) {
      page.append("None.\n");
      return;
    }
    page.append("Numbers of tests that passed / failed / were skipped / were broken off.\n\n");
    page.append("| class | stock | Braid |\n|---|---|---|\n");
    for (Report.Row row : rows) {
      page.append(
          String.format(
              "| %s | %s | %s |\n",
              shortName(row.name()),
              row.stock().map(Outcome::numbers).orElse(""),
              row.braid().numbers()));
    }
  }

  private static void append(StringBuilder page, List<String> missing, KnownDifferences without) {
    page.append("\n## Classes without results: ").append(missing.size()).append("\n\n");
    if (missing.isEmpty()) {
      page.append("None.\n");
      return;
    }
    page.append(
        "Those without a reason have not run yet, or ended before any of their tests did.\n\n");
    page.append("| class | why |\n|---|---|\n");
    for (String name : missing) {
      String why = without.find(name, "").map(KnownDifferences.Known::reason).orElse("");
      page.append(String.format("| %s | %s |\n", shortName(name), escaped(why)));
    }
  }

  /**
   * Reads it.
   *
   * @param comparison judges the differences anew, as expected ones may have been added
   */
  static Report parse(String text, Comparison comparison) throws Complaint {
    List<Report.Row> rows = new ArrayList<>();
    for (List<String> cells : tables(text)) {
      row(cells).ifPresent(rows::add);
    }
    List<Difference> differences = new ArrayList<>();
    for (List<String> cells : tables(text)) {
      Matcher stock = OF.matcher(cells.size() == 4 ? cells.get(1) : "");
      Matcher braid = OF.matcher(cells.size() == 4 ? cells.get(2) : "");
      int hash = cells.get(0).indexOf('#');
      if (hash > 0 && stock.matches() && braid.matches()) {
        differences.add(
            comparison.judged(
                fullName(cells.get(0).substring(0, hash), rows),
                cells.get(0).substring(hash + 1),
                cells.get(3),
                Integer.parseInt(stock.group(1)),
                Integer.parseInt(stock.group(2)),
                Integer.parseInt(braid.group(1)),
                Integer.parseInt(braid.group(2))));
      }
    }
    return new Report(rows, differences);
  }

  private static Optional<Report.Row> row(List<String> cells) {
    if (cells.size() < 5) {
      return Optional.empty();
    }
    boolean spared = cells.get(1).isEmpty() && cells.get(2).isEmpty();
    Optional<Outcome> stock = outcome(cells.get(1), cells.get(2));
    Optional<Outcome> braid = outcome(cells.get(3), cells.get(4));
    if (braid.isEmpty() || (stock.isEmpty() && !spared)) {
      return Optional.empty();
    }
    String name = cells.get(0).startsWith("org.") ? cells.get(0) : PREFIX + cells.get(0);
    String commit = cells.size() > 5 ? cells.get(5) : "";
    return Optional.of(new Report.Row(name, stock, braid.get(), commit));
  }

  private static Optional<Outcome> outcome(String numbers, String seconds) {
    return SECONDS.matcher(seconds).matches()
        ? Outcome.parse(numbers, Double.parseDouble(seconds))
        : Optional.empty();
  }

  /** The full name of the only class in the rows with a given simple or full name. */
  private static String fullName(String name, List<Report.Row> rows) throws Complaint {
    List<String> found =
        rows.stream()
            .map(Report.Row::name)
            .filter(each -> each.equals(name) || each.endsWith("." + name))
            .toList();
    if (found.size() != 1) {
      throw new Complaint(
          "the page has a difference of "
              + name
              + " and "
              + found.size()
              + " classes of that name");
    }
    return found.get(0);
  }

  /** The cells of each line of a table. */
  private static List<List<String>> tables(String text) {
    return text.lines()
        .filter(line -> line.startsWith("| ") && line.endsWith("|"))
        .map(line -> line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1))
        .map(cells -> Arrays.stream(cells).map(String::strip).map(Page::plain).toList())
        .toList();
  }

  private static String shortName(String name) {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("|", "\\|").replace("<", "&lt;");
  }

  private static String plain(String cell) {
    return cell.replace("&lt;", "<").replace("\\|", "|").replace("&amp;", "&");
  }
}
