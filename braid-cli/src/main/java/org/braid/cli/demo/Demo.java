package org.braid.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.code.derive.Tolerance;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.Braid;
import org.braid.hdfs.EmbeddedHdfs;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.embedded.EmbeddedSettings;
import org.braid.placement.StripeRule;
import org.jspecify.annotations.Nullable;

/** Plays the story: writes, converts, loses nodes, reads, repairs, restores, compares. */
public final class Demo {
  private static final long BASE_MEMORY = 256L << 20;
  private static final long NODE_MEMORY = 24L << 20;

  private final DemoSettings settings;
  private final Narrator narrator;
  private final Progress progress;

  /** A demo that tells its story to a narrator. */
  public Demo(DemoSettings settings, Narrator narrator, Progress progress) {
    this.settings = settings;
    this.narrator = narrator;
    this.progress = progress;
  }

  /**
   * Plays it.
   *
   * @param named local files and directories to store; none: a large file of the JDK
   * @param parent where the cluster keeps its data meanwhile; null: the system's directory
   * @param machine what the report says of versions and kernel
   * @throws RefusedException before anything starts, when it cannot be played
   * @throws org.braid.placement.PlacementException likewise, when a stripe does not fit
   */
  public DemoReport play(List<Path> named, @Nullable Path parent, List<Fact> machine)
      throws IOException {
    StripeRule rule = settings.rule();
    List<InputFile> inputs = InputFile.of(named);
    Ledger ledger = new Ledger();
    try (Workspace workspace = new Workspace(parent)) {
      requireDisk(inputs, workspace.directory());
      requireMemory();
      narrator.head(
          "braid demo: %s, %d nodes in %d racks, blocks of %s, %s"
              .formatted(
                  settings.code().name(),
                  settings.nodes(),
                  settings.racks(),
                  Sizes.format(settings.blockSize()),
                  rule.text()));
      machine.forEach(fact -> narrator.head("%-8s %s".formatted(fact.name(), fact.value())));
      EmbeddedHdfs hdfs =
          workspace.keep(
              EmbeddedHdfs.start(
                  new EmbeddedSettings(
                      settings.racks(),
                      settings.nodes(),
                      settings.blockSize(),
                      workspace.directory().resolve("hdfs"),
                      Map.of())));
      Cluster cluster = workspace.keep(Braid.connect(hdfs.connection()));
      ledger.act("Start", 0);
      Stage stage = new Stage(settings.with(rule), hdfs, cluster, narrator, ledger, progress);
      for (Act act : acts(inputs, workspace.directory())) {
        narrator.section(act.title());
        double began = ledger.seconds();
        act.play(stage);
        ledger.act(act.title(), began);
      }
    }
    return report(ledger, rule, machine);
  }

  private List<Act> acts(List<InputFile> inputs, Path directory) {
    Tolerance tolerance = Tolerance.of(settings.code());
    int survived = Tolerance.counted(settings.code());
    List<Act> acts = new ArrayList<>();
    acts.add(new WriteAct(inputs));
    acts.add(new ConvertAct());
    acts.add(new OneNodeAct("chain"));
    acts.add(new OneNodeAct("ppr"));
    acts.add(new OneNodeAct("star"));
    if (survived > 1) {
      acts.add(new ToleranceAct(survived));
    }
    acts.add(new TooManyAct(tolerance));
    acts.add(new RestoreAct(inputs, directory));
    return acts;
  }

  private DemoReport report(Ledger ledger, StripeRule rule, List<Fact> machine) {
    return new DemoReport(
        ledger.failed().isEmpty(),
        settings,
        rule.perRack(),
        machine,
        ledger.files,
        ledger.skipped,
        ledger.storage(),
        ledger.conversions,
        ledger.repairs,
        ledger.reads,
        ledger.checks,
        ledger.placements,
        ledger.plans,
        ledger.spans,
        ledger.seconds());
  }

  /** Two sets of three replicas, parity beside them for a while, and the fresh file. */
  private static void requireDisk(List<InputFile> inputs, Path directory) throws IOException {
    long bytes = inputs.stream().mapToLong(InputFile::bytes).sum();
    long needed = 9 * bytes + (256L << 20);
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < needed) {
      throw new RefusedException(
          "the demo needs %s of disk for %s of files, %s are free below %s: give less, or another --dir"
              .formatted(
                  Sizes.format(needed),
                  Sizes.format(bytes),
                  Sizes.format(free),
                  directory.getParent()));
    }
  }

  private void requireMemory() throws RefusedException {
    long needed = BASE_MEMORY + settings.nodes() * NODE_MEMORY;
    long limit = Runtime.getRuntime().maxMemory();
    if (limit < needed) {
      throw new RefusedException(
          "%d DataNodes in one process need %s of heap, this process may use %s: give fewer --nodes, or more heap with BRAID_JAVA_OPTS=-Xmx%dm"
              .formatted(
                  settings.nodes(), Sizes.format(needed), Sizes.format(limit), needed >> 20));
    }
  }
}
