package org.braid.lab.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.Lab;
import org.braid.lab.LabSettings;
import org.braid.lab.ProgramResult;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.namespace.FileTrees;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/**
 * Installs a release by its own scripts on hosts with a Hadoop each, converts, breaks the
 * installation in many ways, goes back, and takes it out again, as an operator would: by shell and
 * {@code hdfs}, no class of Braid in this process.
 */
public final class InstallDrill {
  private static final String TOPOLOGY = "3x2";
  private static final String CODE = "rs-3-2";
  private static final String DATA = DrillCluster.DATA;
  private static final int BLOCK = 1 << 20;
  private static final int[] FILE_BLOCKS = {1, 3, 3, 4, 6, 6, 9, 2, 3, 1};
  private static final long ROOM = 2048L << 20;
  private static final String STAT = "%n %F %u %g %a %r %o %b %Y %X";
  private static final long REPAIR_SECONDS = 120;
  private static final long LOOK_MILLIS = 1000;

  private final DrillCluster cluster;
  private final Path directory;
  private final RunProgress progress;
  private final List<DrillReport.Step> steps = new ArrayList<>();
  private final List<String> commands = new ArrayList<>();
  private double firstFileSeconds;

  /** The work of a step; returns its observation. */
  private interface Work {
    String run() throws BrokenException, ExperimentException, InterruptedException, IOException;
  }

  private InstallDrill(DrillCluster cluster, Path directory, RunProgress progress) {
    this.cluster = cluster;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Drills in a lab of its own.
   *
   * @param release the archive of a release
   * @param directory an empty one, for Hadoop's files and the logs
   * @throws ExperimentException when there can be no lab
   */
  public static DrillReport run(Path release, Path directory, RunProgress progress)
      throws ExperimentException, InterruptedException {
    LabSettings settings =
        LabSettings.of(LabTopology.parse(TOPOLOGY, 1), LinkLimits.NONE)
            .with(Plugins.NONE)
            .withBlockSize(BLOCK)
            .withRoom(ROOM);
    try (Lab lab = Lab.network(settings, progress)) {
      DrillCluster cluster = new DrillCluster(lab, directory, progress);
      InstallDrill drill = new InstallDrill(cluster, directory, progress);
      try {
        drill.all(release);
      } catch (BrokenException e) {
        // The last step says it.
      } finally {
        cluster.stopAll();
      }
      return new DrillReport(drill.steps, drill.commands, drill.firstFileSeconds);
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + directory, e);
    }
  }

  /** Deletes the files of an earlier drill in its directory. */
  public static void delete(Path directory) throws ExperimentException {
    try {
      FileTrees.delete(directory);
    } catch (IOException e) {
      throw ExperimentException.failed("cannot delete " + directory, e);
    }
  }

  private void all(Path release)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    Map<String, Map<String, String>> stock = cluster.trees();
    step("stock HDFS starts", this::format);
    Path content = directory.resolve("content");
    Map<String, String> sums = write(content);
    step("files are written by stock clients", () -> put(content));
    String state = state();
    Path unpacked = install(release);
    step(
        "a converted file reads back through a stock client",
        () -> cluster.equal(sums, "converted", cluster.nameNode()));
    step("a node is lost, files are read through Braid's client and rebuilt", () -> repair(sums));
    for (Breakage breakage : Breakage.ALL) {
      named(breakage);
    }
    step("in safe mode, hdfs braid check says so", this::safeMode);
    step("mended, hdfs braid check finds nothing", () -> check(List.of()));
    step("an older release is installed over it", () -> rollBack(unpacked, sums));
    step(
        "the release is installed again, nodes one after the other", () -> upgrade(unpacked, sums));
    step("HDFS runs without Braid for a while", () -> without(sums));
    step("with Braid again, the stripes are whole", () -> with(unpacked, sums));
    step("all files are restored and /.braid is deleted", this::restore);
    step("Braid is uninstalled and HDFS starts", this::uninstall);
    step("no file of Braid is left on any host", () -> same(stock));
    step(
        "files are as before: content, owner, rights, times, replication",
        () -> asBefore(state, sums));
  }

  /** Takes a step without which the next ones make no sense. */
  private void step(String what, Work work)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    if (!attempt(what, work)) {
      throw new BrokenException(what);
    }
  }

  /** Takes a step and says whether it went as promised. */
  private boolean attempt(String what, Work work)
      throws ExperimentException, InterruptedException, IOException {
    progress.say(what);
    long begun = System.nanoTime();
    boolean held = false;
    String found;
    try {
      found = work.run();
      held = true;
    } catch (BrokenException e) {
      found = String.valueOf(e.getMessage());
    }
    steps.add(new DrillReport.Step(what, held, found, since(begun)));
    return held;
  }

  private static double since(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private String format() throws BrokenException, ExperimentException, InterruptedException {
    DrillCluster.done(cluster.nameNode().hdfs("namenode", "-format", "-nonInteractive"));
    cluster.startAll();
    return cluster.dataNodes().size() + " DataNodes";
  }

  /** Files of known content, by their SHA-256. */
  private Map<String, String> write(Path content) throws IOException {
    Files.createDirectories(content);
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < FILE_BLOCKS.length; i++) {
      byte[] bytes = new byte[FILE_BLOCKS[i] * BLOCK - (i % 3) * 1000];
      random.nextBytes(bytes);
      Files.write(content.resolve("file" + i), bytes);
    }
    return DrillCluster.sums(content);
  }

  private String put(Path content)
      throws BrokenException, ExperimentException, InterruptedException {
    cluster.ask("dfs", "-put", content.toString(), DATA);
    cluster.ask("dfs", "-chown", "alice:staff", DATA + "/file1");
    cluster.ask("dfs", "-chmod", "640", DATA + "/file2");
    cluster.ask("dfs", "-setrep", "2", DATA + "/file3");
    cluster.ask("dfs", "-touch", "-m", "-t", "20240229:123456", DATA + "/file4");
    cluster.awaitWhole();
    return FILE_BLOCKS.length + " files";
  }

  /** Owner, rights, replication, sizes and times of all files. */
  private String state() throws BrokenException, ExperimentException, InterruptedException {
    return cluster.ask("dfs", "-stat", STAT, DATA, DATA + "/*");
  }

  /** From the archive to the first converted file. */
  private Path install(Path release)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    long begun = System.nanoTime();
    Path unpacked = Files.createDirectories(directory.resolve("release"));
    command(
        "tar -xzf " + release.getFileName(),
        () -> {
          DrillCluster.done(
              cluster
                  .client()
                  .run(List.of("tar", "-xzf", release.toString(), "-C", unpacked.toString())));
          return "";
        });
    Path root;
    try (Stream<Path> all = Files.list(unpacked)) {
      root = all.findFirst().orElseThrow();
    }
    command("install.sh --configure, on each host", () -> cluster.installAll(root));
    command(
        "restart of all daemons",
        () -> {
          cluster.restartAll();
          return "";
        });
    command("hdfs braid check --code " + CODE, () -> check(List.of("--code", CODE)));
    command(
        "hdfs braid convert --code " + CODE + " " + DATA,
        () -> last(cluster.ask("braid", "convert", "--code", CODE, DATA)));
    firstFileSeconds = since(begun);
    return root;
  }

  private void command(String what, Work work)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    commands.add(what);
    step(what, work);
  }

  private String check(List<String> options)
      throws BrokenException, ExperimentException, InterruptedException {
    return last(DrillCluster.done(cluster.checked(options)));
  }

  private String repair(Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    DrillHost victim = cluster.dataNodes().get(0);
    victim.stop();
    String read = cluster.equal(sums, "degraded", cluster.client());
    ProgramResult delete = cluster.nameNode().hdfs("fsck", DATA, "-delete");
    if (delete.status() == 0 || !delete.out().contains("Braid refuses")) {
      throw new BrokenException("hdfs fsck -delete was not refused: " + delete.line());
    }
    String repaired = "";
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REPAIR_SECONDS);
    // A node is silent some seconds before it counts as lost.
    while (!repaired.contains(" rebuilt") || repaired.startsWith("0 ")) {
      if (System.nanoTime() > end) {
        throw new BrokenException("nothing was rebuilt: " + repaired);
      }
      Thread.sleep(LOOK_MILLIS);
      repaired = first(cluster.ask("braid", "repair", DATA));
    }
    victim.start();
    cluster.awaitBack(victim);
    cluster.ask("braid", "repair", DATA);
    return read + " without it; hdfs fsck -delete refused; " + repaired;
  }

  /** Breaks the installation in one way, which has to be named, and mends it. */
  private void named(Breakage breakage)
      throws ExperimentException, InterruptedException, IOException {
    attempt(
        "broken: " + breakage.what(),
        () -> {
          DrillHost host =
              switch (breakage.role()) {
                case NAMENODE -> cluster.nameNode();
                case DATANODE -> cluster.dataNodes().get(1);
                case CLIENT -> cluster.client();
              };
          String before = host.text();
          if (!breakage.property().isEmpty()) {
            breakage.apply(host);
            cluster.restart(host);
          }
          ProgramResult check = cluster.checked(breakage.options());
          host.write(before);
          if (!breakage.property().isEmpty()) {
            cluster.restart(host);
          }
          String missing = breakage.missing(check);
          if (!missing.isEmpty()) {
            throw new BrokenException(missing + ": " + check.line());
          }
          return "named by the check, which ends with " + check.status();
        });
  }

  private String safeMode() throws BrokenException, ExperimentException, InterruptedException {
    cluster.ask("dfsadmin", "-safemode", "enter");
    ProgramResult check = cluster.checked(List.of());
    cluster.ask("dfsadmin", "-safemode", "leave");
    if (check.status() == 0 || !check.out().contains("safe mode")) {
      throw new BrokenException(check.line());
    }
    return "named by the check, which ends with " + check.status();
  }

  /** The same release under an older name. */
  private String rollBack(Path release, Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    Path older = Files.createDirectories(directory.resolve("older"));
    DrillCluster.done(
        cluster.client().run(List.of("cp", "-r", release.toString() + "/.", older.toString())));
    String version = Files.readString(older.resolve("VERSION")).strip();
    Files.writeString(older.resolve("VERSION"), "0.0.1\n");
    try (Stream<Path> jars = Files.list(older.resolve("plugins"))) {
      for (Path jar : jars.toList()) {
        String name = String.valueOf(jar.getFileName());
        Files.move(jar, jar.resolveSibling(name.replace(version, "0.0.1")));
      }
    }
    cluster.installAll(older);
    for (DrillHost host : cluster.hosts()) {
      for (String file : host.tree().keySet()) {
        if (file.startsWith("share/hadoop/hdfs/lib/braid-") && file.contains(version)) {
          throw new BrokenException(host.name() + " keeps " + file);
        }
      }
    }
    cluster.restartAll();
    return cluster.equal(sums, "older", cluster.nameNode()) + "; " + check(List.of());
  }

  private String upgrade(Path release, Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    cluster.installAll(release);
    cluster.restart(cluster.nameNode());
    for (DrillHost node : cluster.dataNodes()) {
      cluster.restart(node);
    }
    return cluster.equal(sums, "upgraded", cluster.nameNode()) + "; " + check(List.of());
  }

  private String without(Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    cluster.uninstallAll();
    cluster.restartAll();
    return cluster.equal(sums, "without", cluster.nameNode());
  }

  private String with(Path release, Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    cluster.installAll(release);
    cluster.restartAll();
    check(List.of());
    String found = cluster.ask("braid", "fsck", "/");
    if (found.contains("LOST") || found.contains("DEGRADED")) {
      throw new BrokenException(found);
    }
    return cluster.equal(sums, "again", cluster.nameNode()) + "; " + last(found);
  }

  private String restore() throws BrokenException, ExperimentException, InterruptedException {
    String restored = first(cluster.ask("braid", "restore", "/"));
    DrillCluster.done(cluster.nameNode().hdfs("dfs", "-rm", "-r", "-skipTrash", "/.braid"));
    cluster.awaitWhole();
    return restored;
  }

  private String uninstall() throws BrokenException, ExperimentException, InterruptedException {
    String uninstalled = cluster.uninstallAll();
    cluster.restartAll();
    cluster.awaitWhole();
    return uninstalled;
  }

  private String same(Map<String, Map<String, String>> stock)
      throws BrokenException, ExperimentException, IOException {
    Map<String, Map<String, String>> now = cluster.trees();
    for (Map.Entry<String, Map<String, String>> host : now.entrySet()) {
      Map<String, String> before = stock.getOrDefault(host.getKey(), Map.of());
      if (!host.getValue().equals(before)) {
        Map<String, String> more = new TreeMap<>(host.getValue());
        more.entrySet().removeAll(before.entrySet());
        throw new BrokenException(
            "%s has other files than before: %s".formatted(host.getKey(), more));
      }
    }
    return "%d files on %d hosts as before"
        .formatted(now.values().stream().mapToInt(Map::size).sum(), cluster.hosts().size());
  }

  private String asBefore(String state, Map<String, String> sums)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    String equal = cluster.equal(sums, "after", cluster.nameNode());
    String now = state();
    if (!now.equals(state)) {
      throw new BrokenException("before:\n%safter:\n%s".formatted(state, now));
    }
    return equal;
  }

  private static String first(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static String last(String text) {
    return text.lines().reduce((a, b) -> b).orElse("");
  }
}
