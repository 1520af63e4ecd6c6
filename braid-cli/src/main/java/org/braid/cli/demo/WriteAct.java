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
import org.braid.hdfs.api.PlacementView;
import org.braid.hdfs.api.PlacementView.Block;

/** Stores the files twice, under encoding-aware and under random replication. */
final class WriteAct implements Act {
  static final int REPLICATION = 3;
  private static final int SHOWN_FILES = 6;

  private final List<InputFile> inputs;

  WriteAct(List<InputFile> inputs) {
    this.inputs = inputs;
  }

  @Override
  public String title() {
    return "Write with " + REPLICATION + " replicas";
  }

  @Override
  public void play(Stage stage) throws IOException {
    var table = new TextTable("file", ">size", ">blocks", "SHA-256");
    for (ConvertAct.Placement placement : ConvertAct.Placement.values()) {
      stage
          .hdfs()
          .makeDirectory(
              placement.directory(),
              placement == ConvertAct.Placement.EAR
                  ? Optional.of(attribute(stage))
                  : Optional.empty());
      for (InputFile input : inputs) {
        StoredFile file = write(stage, input, placement.directory());
        stage.ledger().files.add(file);
        if (table.rows().size() < SHOWN_FILES) {
          table.row(
              file.path(),
              Sizes.format(file.bytes()),
              file.blocks(),
              file.sha256().substring(0, 16) + "...");
        }
      }
    }
    stage.narrator().table(table);
    int more = stage.ledger().files.size() - table.rows().size();
    if (more > 0) {
      stage.narrator().line("... and " + Sizes.count(more, "more file"));
    }
    for (ConvertAct.Placement placement : ConvertAct.Placement.values()) {
      describe(stage, placement);
    }
  }

  private static String attribute(Stage stage) {
    String code = stage.settings().code().name();
    var perRack = stage.settings().perRack();
    return perRack.isPresent() ? code + ",c=" + perRack.getAsInt() : code;
  }

  private static StoredFile write(Stage stage, InputFile input, String directory)
      throws IOException {
    String path = directory + "/" + input.name();
    String sha256 = stage.hdfs().write(input.local(), path, REPLICATION);
    long blockSize = stage.settings().blockSize();
    return new StoredFile(
        path, input.bytes(), sha256, (int) ((input.bytes() + blockSize - 1) / blockSize));
  }

  private static void describe(Stage stage, ConvertAct.Placement placement) throws IOException {
    PlacementView view = stage.holdings(placement.files(stage)).view();
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
    stage
        .narrator()
        .line(
            "%s: %d to %d replicas a node; blocks: %s"
                .formatted(
                    placement.directory(),
                    Arrays.stream(held).min().orElse(0),
                    Arrays.stream(held).max().orElse(0),
                    racks.isEmpty() ? "none" : racks));
  }
}
