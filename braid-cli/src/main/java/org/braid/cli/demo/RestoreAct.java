package org.braid.cli.demo;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.text.GroupingText;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.PlacementView;
import org.braid.hdfs.api.RestoreReport;

/** Converts fresh data and turns it back into replicated files; then checks the whole cluster. */
final class RestoreAct implements Act {
  private static final String DIRECTORY = "/fresh";
  private static final long MOST_BYTES = 32L << 20;

  private final List<InputFile> inputs;
  private final Path directory;

  /**
   * An act on some of the inputs.
   *
   * @param directory where a part of a large file may be put
   */
  RestoreAct(List<InputFile> inputs, Path directory) {
    this.inputs = inputs;
    this.directory = directory;
  }

  @Override
  public String title() {
    return "Restore fresh data to replication, check everything";
  }

  @Override
  public void play(Stage stage) throws IOException {
    stage.hdfs().makeDirectory(DIRECTORY, Optional.empty());
    List<StoredFile> files = new ArrayList<>();
    for (InputFile input : chosen(stage)) {
      Path local = input.bytes() <= MOST_BYTES ? input.local() : beginning(input);
      long bytes = Files.size(local);
      String path = DIRECTORY + "/" + input.name();
      String sha256 = stage.hdfs().write(local, path, WriteAct.REPLICATION);
      long blockSize = stage.settings().blockSize();
      files.add(new StoredFile(path, bytes, sha256, (int) ((bytes + blockSize - 1) / blockSize)));
    }
    restore(stage, files);
    stage.readAll(files, Client.PLAIN, "restored");
    check(stage);
  }

  /**
   * The smallest file that is worth converting alone: what it saves is more than its parity takes.
   * When there is none, all files that could be converted together.
   */
  private List<InputFile> chosen(Stage stage) {
    Set<String> skipped =
        stage.ledger().skipped.stream().map(ConvertReport.Skipped::path).collect(toSet());
    List<InputFile> convertible =
        inputs.stream()
            .filter(f -> !skipped.contains(ConvertAct.Placement.EAR.directory() + "/" + f.name()))
            .toList();
    long blockSize = stage.settings().blockSize();
    int m = stage.settings().code().m();
    return convertible.stream()
        .filter(f -> (WriteAct.REPLICATION - 1) * f.bytes() > m * Math.min(f.bytes(), blockSize))
        .min(Comparator.comparingLong(InputFile::bytes))
        .map(List::of)
        .orElse(convertible);
  }

  private void restore(Stage stage, List<StoredFile> files) throws IOException {
    ConvertReport converted = convert(stage);
    stage.compare(
        converted.files().size() == files.size() && converted.stripes() > 0,
        DIRECTORY + " is converted",
        Sizes.count(converted.files().size(), "file")
            + " of "
            + files.size()
            + ", "
            + Sizes.count(converted.stripes(), "stripe")
            + converted.skipped().stream()
                .map(skipped -> "; " + skipped.path() + ": " + skipped.reason())
                .collect(joining()));
    GroupingText.of(converted.grouping()).ifPresent(stage.narrator()::line);
    double began = stage.ledger().seconds();
    RestoreReport restored = stage.cluster().restore(DIRECTORY, stage.progress());
    stage.ledger().spans("restore " + DIRECTORY, began, List.of());
    PlacementView view = stage.holdings(files).view();
    boolean replicated =
        restored.files().size() == files.size()
            && restored.files().stream().allMatch(f -> f.replication() == WriteAct.REPLICATION)
            && view.blocks().size() == files.stream().mapToInt(StoredFile::blocks).sum()
            && view.blocks().stream().allMatch(b -> b.nodes().size() >= WriteAct.REPLICATION);
    stage.compare(
        replicated,
        DIRECTORY + " has " + WriteAct.REPLICATION + " replicas of each block again, no parity",
        "%s restored; %d blocks in view, fewest replicas %d"
            .formatted(
                Sizes.count(restored.files().size(), "file"),
                view.blocks().size(),
                view.blocks().stream().mapToInt(b -> b.nodes().size()).min().orElse(0)));
    stage
        .narrator()
        .line(
            "%s, %s: converted in %s, restored in %s; stored %s, then %s, then %s"
                .formatted(
                    files.size() == 1 ? files.get(0).path() : DIRECTORY,
                    Sizes.format(files.stream().mapToLong(StoredFile::bytes).sum()),
                    Sizes.seconds(converted.seconds()),
                    Sizes.seconds(restored.seconds()),
                    Sizes.format(converted.storageBefore()),
                    Sizes.format(restored.storageBefore()),
                    Sizes.format(restored.storageAfter())));
  }

  private static ConvertReport convert(Stage stage) throws IOException {
    DemoSettings settings = stage.settings();
    double began = stage.ledger().seconds();
    ConvertReport converted =
        stage
            .cluster()
            .convert(
                new ConvertRequest(
                    List.of(DIRECTORY),
                    settings.code().name(),
                    settings.perRack(),
                    ConvertRequest.Method.DEFAULT,
                    settings.parallel(),
                    settings.slice(),
                    settings.seed(),
                    stage.progress()));
    stage.ledger().spans("convert " + DIRECTORY, began, converted.spans());
    return converted;
  }

  private static void check(Stage stage) throws IOException {
    stage.settled();
    FsckReport report = stage.cluster().fsck("/");
    String counts =
        "%d healthy, %d degraded, %d repairable, %d lost, %d orphans"
            .formatted(
                report.count(State.HEALTHY),
                report.count(State.DEGRADED),
                report.count(State.REPAIRABLE),
                report.count(State.LOST),
                report.orphans().size());
    boolean clean =
        report.count(State.DEGRADED) + report.count(State.REPAIRABLE) + report.count(State.LOST)
                == 0
            && report.orphans().isEmpty();
    String first =
        report.files().stream()
            .flatMap(f -> f.findings().stream().map(b -> "; " + f.path() + ": " + b.why()))
            .findFirst()
            .orElse("");
    stage.compare(clean, "fsck finds every file healthy and no orphan", counts + first);
    stage.narrator().line("fsck: " + counts);
  }

  private Path beginning(InputFile input) throws IOException {
    Path part = directory.resolve("fresh");
    try (InputStream in = Files.newInputStream(input.local());
        var out = Files.newOutputStream(part)) {
      byte[] buffer = new byte[1 << 20];
      for (long left = MOST_BYTES; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          break;
        }
        out.write(buffer, 0, read);
        left -= read;
      }
    }
    return part;
  }
}
