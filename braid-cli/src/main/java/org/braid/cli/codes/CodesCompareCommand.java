package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ParityCopiesOption;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.ReportFile;
import org.braid.cli.report.ComparePage;
import org.braid.cli.report.ComparePage.Section;
import org.braid.cli.text.Json;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.bound.Bound;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.RepairAim;
import org.braid.kernel.Kernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "compare",
    description = {
      "Compares codes: overhead, tolerance, repair of one block, updates, encoding speed,"
          + " bounds.",
      "The speed is a quick measurement on one core; braid codes bench measures it" + " precisely."
    },
    footer = {
      "",
      "Example: two codes, with charts",
      "  braid codes compare rs-6-3 rs-10-4 --report compare.html"
    })
final class CodesCompareCommand extends BaseCommand {
  @Mixin private final CodeArguments list = new CodeArguments();

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private ParityCopiesOption parity;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write charts and tables to this HTML file.")
  private @Nullable Path report;

  @Override
  protected CommandResult perform() throws IOException {
    int copies = parity.copies();
    List<ErasureCode> codes = list.codes();
    ReportFile target = report == null ? null : ReportFile.of(report);
    List<ComparedCode> rows = new ArrayList<>();
    try (ProgressBars bars = new ProgressBars()) {
      for (ErasureCode code : codes) {
        ErasureCode stored = copies == 1 ? code : new ParityCopies(code, copies);
        // Copies are not computed again.
        double speed = EncodeSpeed.measure(code, Kernels.active());
        rows.add(new ComparedCode(CodeProperties.of(stored), speed));
        bars.at("compare", rows.size(), codes.size());
      }
    }
    List<String> lines = new ArrayList<>(CodeComparison.table(rows).lines());
    lines.add("");
    lines.add("Bounds that no code with the same parameters beats");
    lines.addAll(CodeComparison.bounds(rows).lines());
    lines.add("");
    lines.add("encoding: " + speedNote());
    if (target != null) {
      target.write(page(rows));
      lines.add("report: " + target);
    }
    return new CommandResult(ExitStatus.DONE, object(rows), lines);
  }

  private static String speedNote() {
    return "kernel " + Kernels.description() + ", one core, blocks of 1 MiB, median over 0.2 s";
  }

  private static String page(List<ComparedCode> rows) throws IOException {
    return ComparePage.of(
        "Braid: codes compared",
        "Everything but the speed is derived from the matrices. A red mark is a bound"
            + " that no code with the same parameters beats.",
        CodeComparison.charts(rows),
        List.of(
            new Section("Figures", "Encoding: " + speedNote() + ".", CodeComparison.table(rows)),
            new Section(
                "Bounds",
                "No code with the same parameters beats these.",
                CodeComparison.bounds(rows))));
  }

  private ObjectNode object(List<ComparedCode> rows) {
    ObjectNode object = Json.object().put("parity_copies", parity.copies());
    object.put("kernel", Kernels.description());
    ArrayNode all = object.putArray("codes");
    for (ComparedCode row : rows) {
      CodeProperties properties = row.properties();
      ErasureCode code = properties.code();
      ObjectNode node = all.addObject().put("name", code.name());
      node.put("n", code.n()).put("k", code.k()).put("alpha", code.alpha());
      node.put("overhead", properties.overhead());
      node.set("tolerance", CodesJson.of(properties.tolerance()));
      node.put("repair_traffic", properties.repair(RepairAim.BYTES).average());
      node.put("racks_touched", properties.repair(RepairAim.RACKS).average());
      ObjectNode repair = node.putObject("repair");
      Stream.of(RepairAim.values())
          .forEach(a -> repair.set(CodesJson.name(a), CodesJson.of(properties.repair(a))));
      node.set("update_cost", CodesJson.of(properties.update()));
      node.put("encode_bytes_per_second", row.speed());
      ObjectNode bounds = node.putObject("bounds");
      for (Bound bound : Codes.bounds()) {
        row.limits().at(bound).ifPresent(value -> bounds.put(bound.name(), value));
      }
    }
    if (report != null) {
      object.put("report", report.toString());
    }
    return object;
  }
}
