package org.braid.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.PlacementView;
import org.braid.hdfs.api.RestoreReport;

/** Converts a fresh file and turns it back into a replicated one; then checks the whole cluster. */
final class RestoreAct implements Act {
  private static final String DIRECTORY = "/fresh";
  private static final long MOST_BYTES = 32L << 20;

  private final List<InputFile> inputs;
  private final Path directory;

  /**
   * An act on one of the inputs.
   *
   * @param directory where a part of a large file may be put
   */
  RestoreAct(List<InputFile> inputs, Path directory) {
    this.inputs = inputs;
    this.directory = directory;
  }

  @Override
  public String title() {
    return "Restore a fresh file to replication, check everything";
  }

  @Override
  public void play(Stage stage) throws IOException {
    InputFile input =
        inputs.stream()
            .filter(file -> file.bytes() > 0)
            .min(Comparator.comparingLong(InputFile::bytes))
            .orElseThrow(() -> new IOException("all files are empty"));
    Path local = input.bytes() <= MOST_BYTES ? input.local() : beginning(input);
    long bytes = Files.size(local);
    String path = DIRECTORY + "/" + input.name();
    stage.hdfs().makeDirectory(DIRECTORY, Optional.empty());
    String sha256 = stage.hdfs().write(local, path, WriteAct.REPLICATION);
    long blockSize = stage.settings().blockSize();
    var file = new StoredFile(path, bytes, sha256, (int) ((bytes + blockSize - 1) / blockSize));
    restore(stage, file);
    stage.readAll(List.of(file), Client.PLAIN, "restored");
    check(stage);
  }

  private void restore(Stage stage, StoredFile file) throws IOException {
    DemoSettings settings = stage.settings();
    double began = stage.ledger().seconds();
    ConvertReport converted =
        stage
            .cluster()
            .convert(
                new ConvertRequest(
                    List.of(file.path()),
                    settings.code().name(),
                    settings.perRack(),
                    Encoder.CORE_RACK,
                    settings.parallel(),
                    settings.slice(),
                    settings.seed(),
                    stage.progress()));
    stage.compare(
        converted.files().size() == 1 && converted.stripes() > 0,
        file.path() + " is converted",
        Sizes.count(converted.stripes(), "stripe"));
    stage.ledger().spans("convert " + DIRECTORY, began, converted.spans());
    double restoring = stage.ledger().seconds();
    RestoreReport restored = stage.cluster().restore(file.path(), stage.progress());
    stage.ledger().spans("restore " + DIRECTORY, restoring, List.of());
    PlacementView view = stage.holdings(List.of(file)).view();
    boolean replicated =
        restored.files().size() == 1
            && restored.files().get(0).replication() == WriteAct.REPLICATION
            && view.blocks().size() == file.blocks()
            && view.blocks().stream().allMatch(b -> b.nodes().size() >= WriteAct.REPLICATION);
    stage.compare(
        replicated,
        file.path() + " has " + WriteAct.REPLICATION + " replicas of each block again",
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
                    file.path(),
                    Sizes.format(file.bytes()),
                    Sizes.seconds(converted.seconds()),
                    Sizes.seconds(restored.seconds()),
                    Sizes.format(converted.storageBefore()),
                    Sizes.format(restored.storageBefore()),
                    Sizes.format(restored.storageAfter())));
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
