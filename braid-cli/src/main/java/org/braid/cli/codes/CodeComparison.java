package org.braid.cli.codes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.braid.cli.report.BarChart;
import org.braid.cli.report.BarChart.Bar;
import org.braid.cli.text.TextTable;
import org.braid.code.Codes;
import org.braid.code.bound.Bound;
import org.braid.code.bound.Bound.Quantity;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairCost;

/** The tables and charts of compared codes. */
final class CodeComparison {
  private CodeComparison() {}

  /** All figures. */
  static TextTable table(List<ComparedCode> rows) {
    var table =
        new TextTable(
            "code",
            ">n",
            ">k",
            ">overhead",
            ">survives",
            ">racks",
            ">repair traffic",
            ">blocks touched",
            ">racks touched",
            ">update",
            ">encode GB/s");
    for (ComparedCode row : rows) {
      CodeProperties p = row.properties();
      table.row(
          row.name(),
          p.code().n(),
          p.code().k(),
          CodeText.number(p.overhead()),
          CodeProperties.cell(p.tolerance()),
          p.tolerance().racks().map(r -> String.valueOf(r.racks())).orElse("-"),
          cell(p.repair(RepairAim.BYTES)),
          cell(p.repair(RepairAim.BLOCKS)),
          cell(p.repair(RepairAim.RACKS)),
          CodeText.number(p.update().average()),
          speed(row));
    }
    return table;
  }

  /** The bounds that hold for the shape of each code. */
  static TextTable bounds(List<ComparedCode> rows) {
    List<String> header = new ArrayList<>(List.of("bound"));
    rows.forEach(row -> header.add(">" + row.name()));
    header.add("unit");
    header.add("what it is");
    var table = new TextTable(header.toArray(String[]::new));
    for (Bound bound : Codes.bounds()) {
      List<Object> cells = new ArrayList<>(List.of(bound.name()));
      rows.forEach(row -> cells.add(CodeText.number(row.limits().at(bound).orElse(Double.NaN))));
      cells.add(bound.quantity().unit());
      cells.add(bound.description());
      table.row(cells.toArray());
    }
    return table;
  }

  /** A chart for each figure. */
  static List<BarChart> charts(List<ComparedCode> rows) {
    return List.of(
        chart(
            "Overhead",
            "stored for a byte of data; less is better",
            rows,
            row ->
                bar(
                    row,
                    row.properties().overhead(),
                    CodeText.number(row.properties().overhead()),
                    row.limits().sharpest(Quantity.OVERHEAD))),
        chart(
            "Tolerance",
            "lost blocks survived, whichever they are; more is better",
            rows,
            CodeComparison::tolerance),
        chart(
            "Repair traffic",
            "blocks read to rebuild one, average; less is better",
            rows,
            row -> repair(row, RepairAim.BYTES, row.limits().sharpest(Quantity.REPAIR_TRAFFIC))),
        chart(
            "Racks touched",
            "racks read to rebuild a block, average; less is better",
            rows,
            row -> repair(row, RepairAim.RACKS, OptionalDouble.empty())),
        chart(
            "Update cost",
            "parity sub-blocks that change with one of data, average; less is better",
            rows,
            row ->
                bar(
                    row,
                    row.properties().update().average(),
                    CodeText.number(row.properties().update().average()),
                    OptionalDouble.empty())),
        chart(
            "Encoding speed",
            "GB of data a second on one core; more is better",
            rows,
            row -> bar(row, row.speed() / 1e9, speed(row), OptionalDouble.empty())));
  }

  private static BarChart chart(
      String title, String note, List<ComparedCode> rows, Function<ComparedCode, Bar> bar) {
    return new BarChart(title, note, rows.stream().map(bar).toList());
  }

  private static Bar bar(ComparedCode row, double value, String text, OptionalDouble bound) {
    return new Bar(row.name(), value, text, bound);
  }

  private static Bar tolerance(ComparedCode row) {
    OptionalDouble distance = row.limits().sharpest(Quantity.DISTANCE);
    return bar(
        row,
        row.properties().tolerance().proven(),
        CodeProperties.cell(row.properties().tolerance()),
        // A code survives one block less than its distance.
        distance.isPresent()
            ? OptionalDouble.of(distance.getAsDouble() - 1)
            : OptionalDouble.empty());
  }

  private static Bar repair(ComparedCode row, RepairAim aim, OptionalDouble bound) {
    RepairCost cost = row.properties().repair(aim);
    return bar(row, cost.average(), cell(cost), bound);
  }

  private static String cell(RepairCost cost) {
    return CodeProperties.cell(cost.average(), cost);
  }

  private static String speed(ComparedCode row) {
    return String.format(Locale.ROOT, "%.2f", row.speed() / 1e9);
  }
}
