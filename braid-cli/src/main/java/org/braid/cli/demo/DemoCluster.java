package org.braid.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.cli.demo.DemoReport.Read;
import org.braid.cli.demo.DemoReport.Repair;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.ReadResult;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/** The cluster of a demo, and the work that several steps share. */
final class DemoCluster {
  /** Replicas of a block before conversion and after restoring. */
  static final int REPLICATION = 3;

  private static final long SETTLE_SECONDS = 60;

  private final DemoSettings settings;
  private final StripeRule rule;
  private final Topology topology;
  private final EmbeddedHdfs hdfs;
  private final Cluster cluster;
  private final DemoPrinter printer;
  private final DemoLog log;
  private final Progress progress;
  private final List<String> names;

  DemoCluster(
      DemoSettings settings,
      EmbeddedHdfs hdfs,
      Cluster cluster,
      DemoPrinter printer,
      DemoLog log,
      Progress progress) {
    this.settings = settings;
    this.hdfs = hdfs;
    this.cluster = cluster;
    this.printer = printer;
    this.log = log;
    this.progress = progress;
    rule = settings.rule();
    topology = settings.topology();
    names = IntStream.range(0, hdfs.nodes()).mapToObj(hdfs::nodeName).toList();
  }

  DemoSettings settings() {
    return settings;
  }

  StripeRule rule() {
    return rule;
  }

  EmbeddedHdfs hdfs() {
    return hdfs;
  }

  Cluster cluster() {
    return cluster;
  }

  Topology topology() {
    return topology;
  }

  DemoPrinter printer() {
    return printer;
  }

  DemoLog log() {
    return log;
  }

  Progress progress() {
    return progress;
  }

  /** The nodes of the blocks of the stored files. */
  BlockLocations locations() throws IOException {
    return locations(log.files);
  }

  BlockLocations locations(List<StoredFile> files) throws IOException {
    PlacementView view = cluster.placement(files.stream().map(StoredFile::path).toList());
    return new BlockLocations(view, names);
  }

  /** Waits until the NameNode has dropped the surplus copies that returning nodes brought back. */
  BlockLocations settled() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
    BlockLocations locations = locations();
    while (!locations.settled(hdfs::runs) && System.nanoTime() < end) {
      try {
        TimeUnit.MILLISECONDS.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      locations = locations();
    }
    compare(
        locations.settled(hdfs::runs),
        "every block has exactly one copy",
        "waited up to " + SETTLE_SECONDS + " s for surplus copies to go");
    return locations;
  }

  /** Logs a comparison, and prints it when it does not hold. */
  boolean compare(boolean holds, String what, String detail) {
    if (!log.check(holds, what, detail)) {
      printer.line("DOES NOT HOLD: " + what + " (" + detail + ")");
    }
    return holds;
  }

  /** Stores a local file. */
  StoredFile write(Path local, String path) throws IOException {
    long bytes = Files.size(local);
    String sha256 = hdfs.write(local, path, REPLICATION);
    long blocks = (bytes + settings.blockSize() - 1) / settings.blockSize();
    return new StoredFile(path, bytes, sha256, (int) blocks);
  }

  /** Converts a directory. */
  ConvertReport convert(String directory, Method method) throws IOException {
    double began = log.seconds();
    ConvertReport report =
        cluster.convert(
            new ConvertRequest(
                List.of(directory),
                settings.code().name(),
                settings.perRack(),
                method,
                settings.parallel(),
                settings.slice(),
                settings.seed(),
                progress));
    log.spans("convert " + directory, began, report.spans());
    return report;
  }

  /** Reads files, compares them with the written content and returns the seconds. */
  double readAll(List<StoredFile> files, Client client, String when) throws IOException {
    int equal = 0;
    long bytes = 0;
    double seconds = 0;
    String word = client == Client.PLAIN ? "plain" : "braid";
    for (StoredFile file : files) {
      String found;
      try {
        ReadResult read = hdfs.read(file.path(), client);
        found = "SHA-256 " + read.sha256();
        seconds += read.seconds();
        bytes += read.bytes();
      } catch (IOException e) {
        found = "failed: " + e.getMessage();
      }
      boolean same = found.equals("SHA-256 " + file.sha256());
      equal += same ? 1 : 0;
      compare(same, when + ", " + word + " client: " + file.path() + " is equal", found);
    }
    log.reads.add(new Read(when, word, files.size(), equal, bytes, seconds));
    printer.line(
        "%s client, %s: %d of %s equal (SHA-256), %s in %s"
            .formatted(
                word,
                when,
                equal,
                Sizes.count(files.size(), "file"),
                Sizes.format(bytes),
                Sizes.seconds(seconds)));
    return seconds;
  }

  /** Stops nodes, and prints how many blocks are lost. */
  void stop(Collection<Integer> nodes, BlockLocations locations) {
    Set<Integer> down = new TreeSet<>(nodes);
    IntPredicate remain = node -> hdfs.runs(node) && !down.contains(node);
    long lost = locations.lost(remain).size();
    nodes.forEach(hdfs::stopNode);
    printer.line(
        "stopped %s: %s of stripes lost".formatted(nodeNames(nodes), Sizes.count(lost, "block")));
  }

  /** Starts nodes again, on the stale copies they had. */
  void start(Collection<Integer> nodes) throws IOException {
    for (int node : nodes) {
      hdfs.startNode(node);
    }
    if (!nodes.isEmpty()) {
      printer.line("started " + nodeNames(nodes) + " again");
    }
  }

  /** Starts as many stopped nodes as a stripe needs, and returns those still stopped. */
  List<Integer> startUntilRoom(List<Integer> stopped) throws IOException {
    List<Integer> left = new ArrayList<>(stopped);
    List<Integer> started = new ArrayList<>();
    while (!left.isEmpty() && !hasRoom(node -> hdfs.runs(node) || started.contains(node))) {
      started.add(left.remove(left.size() - 1));
    }
    start(started);
    return left;
  }

  /** Whether the blocks of a stripe fit on the nodes that pass a filter. */
  boolean hasRoom(IntPredicate passes) {
    return DemoSettings.fits(rule, EligibleNodes.of(topology, passes));
  }

  String nodeNames(Collection<Integer> nodes) {
    return nodes.stream().map(hdfs::nodeName).collect(Collectors.joining(", "));
  }

  /** Repairs everything; a block that cannot be repaired is a comparison that does not hold. */
  void repair(String shape, String after) throws IOException {
    RepairReport report = attempt(shape);
    compare(
        report.unrepairable().isEmpty(),
        "repair by " + shape + " after " + after + " leaves nothing lost",
        Sizes.count(report.unrepairable().size(), "block")
            + " left"
            + report.unrepairable().stream()
                .findFirst()
                .map(u -> ": " + u.name() + " of " + u.path() + ": " + u.reason())
                .orElse(""));
    record(report, after);
  }

  /** Repairs everything that can be. */
  RepairReport attempt(String shape) throws IOException {
    double began = log.seconds();
    RepairReport report =
        cluster.repair(
            new RepairRequest(
                "/", shape, settings.parallel(), settings.slice(), settings.seed(), progress));
    log.spans("repair by " + shape, began, report.spans());
    return report;
  }

  private void record(RepairReport report, String after) {
    Traffic traffic = report.traffic();
    var repair =
        new Repair(
            report.shape(),
            after,
            report.repaired().size(),
            traffic.crossRackBytes(),
            traffic.inRackBytes(),
            traffic.busiestLinkBytes(),
            traffic.cpuSeconds(),
            report.seconds());
    log.repairs.add(repair);
    // One plan of each shape is enough to draw: that of a full stripe.
    if (log.plans.stream().noneMatch(plan -> plan.shape().equals(report.shape()))) {
      report.examples().stream()
          .max(Comparator.comparingInt(plan -> plan.edges().size()))
          .ifPresent(log.plans::add);
    }
    printer.line(
        "repair by %s: %s rebuilt in %s, %s across racks, busiest link %s"
            .formatted(
                repair.shape(),
                Sizes.count(repair.lost(), "block"),
                Sizes.seconds(repair.seconds()),
                Sizes.format(repair.crossRackBytes()),
                Sizes.format(repair.busiestLinkBytes())));
  }
}
