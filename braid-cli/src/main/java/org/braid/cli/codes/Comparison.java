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
import org.braid.code.derive.Aim;
import org.braid.code.derive.RepairCost;

/** The tables and charts of compared codes. */
final class Comparison {
  private Comparison() {}

  /** All figures. */
  static TextTable table(List<Compared> rows) {
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
    for (Compared row : rows) {
      Properties p = row.properties();
      table.row(
          row.name(),
          p.code().n(),
          p.code().k(),
          Blocks.number(p.overhead()),
          Properties.cell(p.tolerance()),
          p.tolerance().racks().map(r -> String.valueOf(r.racks())).orElse("-"),
          cell(p.repair(Aim.BYTES)),
          cell(p.repair(Aim.BLOCKS)),
          cell(p.repair(Aim.RACKS)),
          Blocks.number(p.update().average()),
          speed(row));
    }
    return table;
  }

  /** The bounds that hold for the shape of each code. */
  static TextTable bounds(List<Compared> rows) {
    List<String> header = new ArrayList<>(List.of("bound"));
    rows.forEach(row -> header.add(">" + row.name()));
    header.add("unit");
    header.add("what it is");
    var table = new TextTable(header.toArray(String[]::new));
    for (Bound bound : Codes.bounds()) {
      List<Object> cells = new ArrayList<>(List.of(bound.name()));
      rows.forEach(row -> cells.add(Blocks.number(row.limits().at(bound).orElse(Double.NaN))));
      cells.add(bound.quantity().unit());
      cells.add(bound.description());
      table.row(cells.toArray());
    }
    return table;
  }

  /** A chart for each figure. */
  static List<BarChart> charts(List<Compared> rows) {
    return List.of(
        chart(
            "Overhead",
            "stored for a byte of data; less is better",
            rows,
            row ->
                bar(
                    row,
                    row.properties().overhead(),
                    Blocks.number(row.properties().overhead()),
                    row.limits().sharpest(Quantity.OVERHEAD))),
        chart(
            "Tolerance",
            "lost blocks survived, whichever they are; more is better",
            rows,
            Comparison::tolerance),
        chart(
            "Repair traffic",
            "blocks read to rebuild one, average; less is better",
            rows,
            row -> repair(row, Aim.BYTES, row.limits().sharpest(Quantity.REPAIR_TRAFFIC))),
        chart(
            "Racks touched",
            "racks read to rebuild a block, average; less is better",
            rows,
            row -> repair(row, Aim.RACKS, OptionalDouble.empty())),
        chart(
            "Update cost",
            "parity sub-blocks that change with one of data, average; less is better",
            rows,
            row ->
                bar(
                    row,
                    row.properties().update().average(),
                    Blocks.number(row.properties().update().average()),
                    OptionalDouble.empty())),
        chart(
            "Encoding speed",
            "GB of data a second on one core; more is better",
            rows,
            row -> bar(row, row.speed() / 1e9, speed(row), OptionalDouble.empty())));
  }

  private static BarChart chart(
      String title, String note, List<Compared> rows, Function<Compared, Bar> bar) {
    return new BarChart(title, note, rows.stream().map(bar).toList());
  }

  private static Bar bar(Compared row, double value, String text, OptionalDouble bound) {
    return new Bar(row.name(), value, text, bound);
  }

  private static Bar tolerance(Compared row) {
    OptionalDouble distance = row.limits().sharpest(Quantity.DISTANCE);
    return bar(
        row,
        row.properties().tolerance().proven(),
        Properties.cell(row.properties().tolerance()),
        // A code survives one block less than its distance.
        distance.isPresent()
            ? OptionalDouble.of(distance.getAsDouble() - 1)
            : OptionalDouble.empty());
  }

  private static Bar repair(Compared row, Aim aim, OptionalDouble bound) {
    RepairCost cost = row.properties().repair(aim);
    return bar(row, cost.average(), cell(cost), bound);
  }

  private static String cell(RepairCost cost) {
    return Properties.cell(cost.average(), cost);
  }

  private static String speed(Compared row) {
    return String.format(Locale.ROOT, "%.2f", row.speed() / 1e9);
  }
}
