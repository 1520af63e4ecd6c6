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
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;

/** Converts fresh data and turns it back into replicated files; then checks the whole cluster. */
final class RestoreStep implements DemoStep {
  private static final String DIRECTORY = "/fresh";
  private static final long MOST_BYTES = 32L << 20;

  private final List<InputFile> inputs;
  private final Path directory;

  /**
   * A step on some of the inputs.
   *
   * @param directory for a part of a large file
   */
  RestoreStep(List<InputFile> inputs, Path directory) {
    this.inputs = inputs;
    this.directory = directory;
  }

  @Override
  public String title() {
    return "Restore fresh data to replication, check everything";
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    demo.hdfs().makeDirectory(DIRECTORY, Optional.empty());
    List<StoredFile> files = new ArrayList<>();
    for (InputFile input : chosen(demo)) {
      Path local = input.bytes() <= MOST_BYTES ? input.local() : beginning(input);
      files.add(demo.write(local, DIRECTORY + "/" + input.name()));
    }
    restore(demo, files);
    demo.readAll(files, Client.PLAIN, "restored");
    check(demo);
  }

  /**
   * The smallest file that saves storage when converted alone. When there is none, all files that
   * could be converted together.
   */
  private List<InputFile> chosen(DemoCluster demo) {
    Set<String> skipped =
        demo.log().skipped.stream().map(ConvertReport.Skipped::path).collect(toSet());
    List<InputFile> convertible =
        inputs.stream()
            .filter(f -> !skipped.contains(ConvertStep.Placement.EAR.directory() + "/" + f.name()))
            .toList();
    long blockSize = demo.settings().blockSize();
    int m = demo.settings().code().m();
    return convertible.stream()
        .filter(f -> (DemoCluster.REPLICATION - 1) * f.bytes() > m * Math.min(f.bytes(), blockSize))
        .min(Comparator.comparingLong(InputFile::bytes))
        .map(List::of)
        .orElse(convertible);
  }

  private void restore(DemoCluster demo, List<StoredFile> files) throws IOException {
    ConvertReport converted = demo.convert(DIRECTORY, Method.DEFAULT);
    demo.compare(
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
    GroupingText.of(converted.grouping()).ifPresent(demo.printer()::line);
    double began = demo.log().seconds();
    RestoreReport restored = demo.cluster().restore(DIRECTORY, demo.progress());
    demo.log().spans("restore " + DIRECTORY, began, List.of());
    PlacementView view = demo.locations(files).view();
    boolean replicated =
        restored.files().size() == files.size()
            && restored.files().stream().allMatch(f -> f.replication() == DemoCluster.REPLICATION)
            && view.blocks().size() == files.stream().mapToInt(StoredFile::blocks).sum()
            && view.blocks().stream().allMatch(b -> b.nodes().size() >= DemoCluster.REPLICATION);
    demo.compare(
        replicated,
        DIRECTORY + " has " + DemoCluster.REPLICATION + " replicas of each block again, no parity",
        "%s restored; %d blocks in view, fewest replicas %d"
            .formatted(
                Sizes.count(restored.files().size(), "file"),
                view.blocks().size(),
                view.blocks().stream().mapToInt(b -> b.nodes().size()).min().orElse(0)));
    demo.printer()
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

  private static void check(DemoCluster demo) throws IOException {
    demo.settled();
    FsckReport report = demo.cluster().fsck("/");
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
    demo.compare(clean, "fsck finds every file healthy and no orphan", counts + first);
    demo.printer().line("fsck: " + counts);
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
