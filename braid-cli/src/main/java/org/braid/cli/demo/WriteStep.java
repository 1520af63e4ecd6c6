package org.braid.cli.demo;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.PlacementView.Block;

/** Stores the files twice, under encoding-aware and under random replication. */
final class WriteStep implements DemoStep {
  private static final int SHOWN_FILES = 6;

  private final List<InputFile> inputs;

  WriteStep(List<InputFile> inputs) {
    this.inputs = inputs;
  }

  @Override
  public String title() {
    return "Write with " + DemoCluster.REPLICATION + " replicas";
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    var table = new TextTable("file", ">size", ">blocks", "SHA-256");
    for (ConvertStep.Placement placement : ConvertStep.Placement.values()) {
      demo.hdfs()
          .makeDirectory(
              placement.directory(),
              placement == ConvertStep.Placement.EAR
                  ? Optional.of(attribute(demo))
                  : Optional.empty());
      for (InputFile input : inputs) {
        StoredFile file = demo.write(input.local(), placement.directory() + "/" + input.name());
        demo.log().files.add(file);
        if (table.rows().size() < SHOWN_FILES) {
          table.row(
              file.path(),
              Sizes.format(file.bytes()),
              file.blocks(),
              file.sha256().substring(0, 16) + "...");
        }
      }
    }
    demo.printer().table(table);
    int more = demo.log().files.size() - table.rows().size();
    if (more > 0) {
      demo.printer().line("... and " + Sizes.count(more, "more file"));
    }
    for (ConvertStep.Placement placement : ConvertStep.Placement.values()) {
      describe(demo, placement);
    }
  }

  private static String attribute(DemoCluster demo) {
    String code = demo.settings().code().name();
    var perRack = demo.settings().perRack();
    return perRack.isPresent() ? code + ",c=" + perRack.getAsInt() : code;
  }

  private static void describe(DemoCluster demo, ConvertStep.Placement placement)
      throws IOException {
    PlacementView view = demo.locations(placement.files(demo)).view();
    int[] held = new int[view.nodes().size()];
    Map<Long, Integer> spread = new HashMap<>();
    for (Block block : view.blocks()) {
      block.nodes().forEach(node -> held[node]++);
      long racks = block.nodes().stream().map(n -> view.nodes().get(n).rack()).distinct().count();
      spread.merge(racks, 1, Integer::sum);
    }
    String racks =
        spread.entrySet().stream()
            .map(e -> e.getValue() + " in " + Sizes.count(e.getKey(), "rack"))
            .collect(Collectors.joining(", "));
    demo.printer()
        .line(
            "%s: %d to %d replicas per node; blocks: %s"
                .formatted(
                    placement.directory(),
                    Arrays.stream(held).min().orElse(0),
                    Arrays.stream(held).max().orElse(0),
                    racks.isEmpty() ? "none" : racks));
  }
}
