package org.braid.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.braid.cli.command.TemporaryDirectory;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.code.derive.Tolerance;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/** Runs a demo: writes, converts, loses nodes, reads, repairs, restores, compares. */
public final class Demo {
  private static final long BASE_MEMORY = 256L << 20;
  private static final long NODE_MEMORY = 24L << 20;

  private final DemoSettings settings;
  private final DemoPrinter printer;
  private final Progress progress;

  /** A demo that prints its sections as they run. */
  public Demo(DemoSettings settings, DemoPrinter printer, Progress progress) {
    this.settings = settings;
    this.printer = printer;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @param named local files and directories to store; none: a large file of the JDK
   * @param parent where the cluster keeps its data meanwhile; null: the system's directory
   * @param machine versions and kernel, for the report
   * @throws RefusedException before anything starts, when disk or memory do not suffice
   * @throws org.braid.placement.PlacementException likewise, when a stripe does not fit
   */
  public DemoReport run(List<Path> named, @Nullable Path parent, List<Fact> machine)
      throws IOException {
    StripeRule rule = settings.rule();
    List<InputFile> inputs = InputFile.of(named);
    DemoLog log = new DemoLog();
    try (TemporaryDirectory workspace = new TemporaryDirectory(parent)) {
      requireDisk(inputs, workspace.directory());
      requireMemory();
      printer.head(
          "braid demo: %s, %d nodes in %d racks, blocks of %s, %s"
              .formatted(
                  settings.code().name(),
                  settings.nodes(),
                  settings.racks(),
                  Sizes.format(settings.blockSize()),
                  rule.text()));
      machine.forEach(fact -> printer.head("%-8s %s".formatted(fact.name(), fact.value())));
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
      log.step("Start", 0);
      DemoCluster demo =
          new DemoCluster(settings.with(rule), hdfs, cluster, printer, log, progress);
      for (DemoStep step : steps(inputs, workspace.directory())) {
        printer.section(step.title());
        double began = log.seconds();
        step.run(demo);
        log.step(step.title(), began);
      }
    }
    return report(log, rule, machine);
  }

  private List<DemoStep> steps(List<InputFile> inputs, Path directory) {
    Tolerance tolerance = Tolerance.of(settings.code());
    int survived = Tolerance.counted(settings.code());
    List<DemoStep> steps = new ArrayList<>();
    steps.add(new WriteStep(inputs));
    steps.add(new ConvertStep());
    steps.add(new NodeLossStep("chain"));
    steps.add(new NodeLossStep("ppr"));
    steps.add(new NodeLossStep("star"));
    if (survived > 1) {
      steps.add(new ToleratedLossStep(survived));
    }
    steps.add(new FatalLossStep(tolerance));
    steps.add(new RestoreStep(inputs, directory));
    return steps;
  }

  private DemoReport report(DemoLog log, StripeRule rule, List<Fact> machine) {
    return new DemoReport(
        log.failed().isEmpty(),
        settings,
        rule.perRack(),
        machine,
        log.files,
        log.skipped,
        log.storage(),
        log.conversions,
        log.repairs,
        log.reads,
        log.checks,
        log.placements,
        log.plans,
        log.spans,
        log.seconds());
  }

  /** Two sets of three replicas, parity beside them for a while, and the fresh file. */
  private static void requireDisk(List<InputFile> inputs, Path directory) throws IOException {
    long bytes = inputs.stream().mapToLong(InputFile::bytes).sum();
    long needed = 9 * bytes + (256L << 20);
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < needed) {
      throw new RefusedException(
          ("the demo needs %s of disk space for %s of files, %s is free in %s: give"
                  + " smaller files or another --dir")
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
