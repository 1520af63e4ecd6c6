package org.braid.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.study.PolicyStudy;
import org.braid.placement.study.PolicyStudy.Hotness;
import org.braid.placement.study.PolicyStudy.Result;
import org.braid.placement.study.PolicyStudy.Setting;
import org.braid.placement.study.ViolationStudy;
import org.braid.placement.study.ViolationStudy.Point;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "compare",
    description = {
      "Compares random replication, preliminary EAR and EAR: balance of storage and reads over"
          + " racks (EAR experiments 8 and 9), cost of encoding, and the probability that"
          + " preliminary EAR violates rack fault tolerance (fig. 3), by equation (1) and as"
          + " measured. The exit status is 1 when equation and measurement differ by more"
          + " than the sampling error."
    },
    footer = {"", "Example:", "  braid place compare --blocks 100000 --racks 20 --nodes 400"})
final class CompareCommand extends BaseCommand {
  private static final List<Integer> FILE_SIZES = List.of(10, 100, 1_000, 10_000, 100_000);
  private static final List<Integer> DATA_BLOCKS = List.of(6, 8, 10, 12);
  private static final List<Integer> RACKS = List.of(16, 20, 24, 28, 32, 36, 40);

  @Option(
      names = "--blocks",
      defaultValue = "100000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of blocks to write; default: ${DEFAULT-VALUE}.")
  private int blocks;

  @Option(
      names = "--racks",
      defaultValue = "20",
      paramLabel = "R",
      converter = Converters.Count.class,
      description = "Number of racks; default: ${DEFAULT-VALUE}.")
  private int racks;

  @Option(
      names = "--nodes",
      defaultValue = "400",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of nodes in all racks; default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--code",
      defaultValue = "rs-10-4",
      paramLabel = "CODE",
      description = "The code of the stripes; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Option(
      names = "--stripes",
      defaultValue = "1000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of stripes for each cell of the violation table; default:" + " ${DEFAULT-VALUE}.")
  private int stripes;

  @Mixin private final PlaceOptions options = new PlaceOptions();

  @Override
  protected CommandResult perform() {
    Topology topology = topology();
    RandomGenerator random = options.random();
    StripeLimits limits = options.limits(code, topology, random);
    Setting setting =
        new Setting(
            topology,
            StripeRules.of(code, limits),
            options.layout(),
            options.replicas(),
            blocks,
            FILE_SIZES);
    List<Result> results =
        Stream.of(
                ReplicationPolicies.RANDOM,
                ReplicationPolicies.PRELIMINARY,
                ReplicationPolicies.EAR)
            .map(policy -> PolicyStudy.run(setting, policy, random))
            .toList();
    List<Point> points = ViolationStudy.run(DATA_BLOCKS, RACKS, stripes, random);
    int status = points.stream().allMatch(Point::held) ? ExitStatus.DONE : ExitStatus.FAILED;
    return new CommandResult(
        status, object(limits, results, points), lines(limits, results, points));
  }

  private Topology topology() {
    if (nodes < racks) {
      throw wrong(
          "%d nodes in %d racks: each rack needs at least one node".formatted(nodes, racks));
    }
    Topology.Builder builder = Topology.builder();
    for (int node = 0; node < nodes; node++) {
      builder.add("r" + node % racks + "n" + node / racks, "r" + node % racks);
    }
    return builder.build();
  }

  private ObjectNode object(StripeLimits limits, List<Result> results, List<Point> points) {
    ObjectNode object =
        Json.object()
            .put("ok", points.stream().allMatch(Point::held))
            .put("code", code.name())
            .put("blocks", blocks)
            .put("racks", racks)
            .put("nodes", nodes)
            .put("replicas", options.replicas())
            .put("layout", options.layout().label())
            .put("max_per_rack", limits.perRack())
            .put("seed", options.seed());
    ArrayNode policies = object.putArray("policies");
    results.forEach(result -> policies.add(Json.of(result)));
    object.put("violation_stripes", stripes);
    ArrayNode violations = object.putArray("violations");
    points.forEach(point -> violations.add(Json.of(point)));
    return object;
  }

  private List<String> lines(StripeLimits limits, List<Result> results, List<Point> points) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d blocks of %d replicas on %d nodes in %d racks, %s with at most %d blocks in a rack"
            .formatted(blocks, options.replicas(), nodes, racks, code.name(), limits.perRack()));
    section(lines, "Storage: share of all replicas, racks in descending order", storage(results));
    section(
        lines, "Reads: hotness index H, the share of requests to the busiest rack", reads(results));
    section(lines, "Encoding: blocks a stripe", encoding(results));
    section(
        lines,
        "Preliminary EAR: probability that a stripe violates the tolerance of racks,"
            + " equation (1) and of "
            + stripes
            + " stripes",
        violations(points));
    long off = points.stream().filter(point -> !point.held()).count();
    lines.add(
        off == 0
            ? "every measured share agrees with the equation"
            : off + " measured shares, marked !, differ by more than sampling explains");
    return lines;
  }

  private static void section(List<String> lines, String title, TextTable table) {
    lines.add("");
    lines.add(title);
    lines.addAll(table.lines());
  }

  private static String[] header(String first, List<Result> results) {
    return Stream.concat(Stream.of(first), results.stream().map(result -> ">" + result.policy()))
        .toArray(String[]::new);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private TextTable storage(List<Result> results) {
    TextTable table = new TextTable(header(">rack", results));
    for (int i = 0; i < racks; i++) {
      int rack = i;
      table.row(
          Stream.concat(
                  Stream.of((Object) (rack + 1)),
                  results.stream().map(r -> number("%.2f%%", 100 * r.shares().get(rack))))
              .toArray());
    }
    return table;
  }

  private static TextTable reads(List<Result> results) {
    TextTable table = new TextTable(header(">blocks of a file", results));
    List<Hotness> sizes = results.get(0).hotness();
    for (int i = 0; i < sizes.size(); i++) {
      int size = i;
      table.row(
          Stream.concat(
                  Stream.of((Object) sizes.get(size).blocks()),
                  results.stream().map(r -> number("%.4f", r.hotness().get(size).index())))
              .toArray());
    }
    return table;
  }

  private static TextTable encoding(List<Result> results) {
    TextTable table =
        new TextTable(
            "policy", ">downloads, random encoder", ">downloads, best encoder", ">relocations");
    for (Result result : results) {
      table.row(
          result.policy(),
          number("%.3f", result.randomDownloads()),
          number("%.3f", result.downloads()),
          number("%.3f", result.relocations()));
    }
    return table;
  }

  private static TextTable violations(List<Point> points) {
    TextTable table =
        new TextTable(
            Stream.concat(Stream.of(">racks"), DATA_BLOCKS.stream().map(k -> ">k = " + k))
                .toArray(String[]::new));
    for (int count : RACKS) {
      table.row(
          Stream.concat(
                  Stream.of((Object) count),
                  points.stream()
                      .filter(p -> p.racks() == count)
                      .map(
                          p ->
                              number("%.3f ", p.equation())
                                  + number("%.3f", p.measured())
                                  + (p.held() ? "" : "!")))
              .toArray());
    }
    return table;
  }
}
