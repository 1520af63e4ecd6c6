package org.braid.lab.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.Lab;
import org.braid.lab.ProgramResult;
import org.braid.lab.daemon.ClassPath;
import org.braid.lab.daemon.JavaLauncher;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;

/** Hosts, each with a Hadoop, and the actions of an operator on them. */
final class DrillCluster {
  /** The directory of the files. */
  static final String DATA = "/data";

  private static final long WHOLE_SECONDS = 120;
  private static final long LOOK_MILLIS = 1000;

  private final Lab lab;
  private final Path directory;
  private final RunProgress progress;
  private final Map<String, DrillHost> hosts = new LinkedHashMap<>();

  /**
   * Makes a stock Hadoop for each host.
   *
   * @param directory of their files and logs
   */
  DrillCluster(Lab lab, Path directory, RunProgress progress) throws IOException {
    this.lab = lab;
    this.directory = directory;
    this.progress = progress;
    prepare();
  }

  Collection<DrillHost> hosts() {
    return hosts.values();
  }

  private DrillHost host(String name) {
    DrillHost host = hosts.get(name);
    if (host == null) {
      throw new NoSuchElementException("the lab has no host " + name);
    }
    return host;
  }

  private void prepare() throws IOException {
    List<Path> classPath = ClassPath.ofThisProcess().entries();
    Path logs = Files.createDirectories(directory.resolve("logs"));
    for (Host host : lab.topology().hosts()) {
      DrillHost.Role role =
          switch (host.role()) {
            case NAME_NODE -> DrillHost.Role.NAMENODE;
            case DATA_NODE -> DrillHost.Role.DATANODE;
            default -> DrillHost.Role.CLIENT;
          };
      if (host.name().equals(LabTopology.LOADER)) {
        continue;
      }
      Path home = directory.resolve(host.name()).resolve("hadoop");
      // dfs.* counts in hdfs-site.xml alone, the name of the file system in core-site.xml.
      String site = lab.stockSite(host);
      StockHadoop.make(home, classPath, site, site);
      Files.writeString(home.resolve("etc/hadoop/log4j.properties"), JavaLauncher.LOGGING);
      hosts.put(
          host.name(),
          new DrillHost(lab, host.name(), role, home, logs.resolve(host.name() + ".log")));
    }
  }

  DrillHost nameNode() {
    return host(LabTopology.NAME_NODE);
  }

  DrillHost client() {
    return host(lab.clients().get(0));
  }

  List<DrillHost> dataNodes() {
    return lab.dataNodes().stream().map(this::host).toList();
  }

  void startAll() throws ExperimentException, InterruptedException {
    nameNode().start();
    for (DrillHost node : dataNodes()) {
      node.start();
    }
    lab.awaitLive(progress);
  }

  void restartAll() throws ExperimentException, InterruptedException {
    stopAll();
    startAll();
  }

  void restart(DrillHost host) throws ExperimentException, InterruptedException {
    host.stop();
    host.start();
    if (host.role() == DrillHost.Role.DATANODE) {
      awaitBack(host);
    } else {
      lab.awaitLive(progress);
    }
  }

  /** Ends all daemons. */
  void stopAll() throws InterruptedException {
    hosts().forEach(DrillHost::terminate);
    for (DrillHost host : hosts()) {
      host.stop();
    }
  }

  /** SHA-256 by the names of files. */
  static Map<String, String> sums(Path directory) throws IOException {
    Map<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        sums.put(
            String.valueOf(file.getFileName()),
            HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file))));
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    return sums;
  }

  String installAll(Path release)
      throws BrokenException, ExperimentException, InterruptedException {
    for (DrillHost host : hosts.values()) {
      install(host, release);
    }
    return hosts.size() + " hosts";
  }

  private static void install(DrillHost host, Path release)
      throws BrokenException, ExperimentException, InterruptedException {
    done(
        host.run(
            List.of(
                release.resolve("bin/install.sh").toString(),
                "--hadoop-home",
                host.home().toString(),
                "--role",
                host.role().word(),
                "--configure")));
  }

  private static void uninstall(DrillHost host)
      throws BrokenException, ExperimentException, InterruptedException {
    done(
        host.run(
            List.of(
                host.home().resolve("share/braid/uninstall.sh").toString(),
                "--hadoop-home",
                host.home().toString())));
  }

  String uninstallAll() throws BrokenException, ExperimentException, InterruptedException {
    for (DrillHost host : hosts()) {
      uninstall(host);
    }
    return hosts.size() + " hosts";
  }

  ProgramResult checked(List<String> options) throws ExperimentException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("braid", "check"));
    words.addAll(options);
    return client().hdfs(words.toArray(String[]::new));
  }

  Map<String, Map<String, String>> trees() throws ExperimentException {
    Map<String, Map<String, String>> trees = new TreeMap<>();
    for (DrillHost host : hosts.values()) {
      trees.put(host.name(), host.tree());
    }
    return trees;
  }

  /** Runs {@code hdfs} on the client host; returns its output, or throws if it fails. */
  String ask(String... words) throws BrokenException, ExperimentException, InterruptedException {
    return done(client().hdfs(words));
  }

  /** Waits for a node that was started. */
  void awaitBack(DrillHost node) throws ExperimentException, InterruptedException {
    lab.awaitRegistered(node.name());
    lab.awaitLive(progress);
  }

  /**
   * Reads all files and compares them.
   *
   * @param name the directory for the read files
   * @param by the host whose client reads
   */
  String equal(Map<String, String> sums, String name, DrillHost by)
      throws BrokenException, ExperimentException, InterruptedException, IOException {
    Path copy = directory.resolve("read-" + name);
    done(by.hdfs("dfs", "-get", DATA, copy.toString()));
    Map<String, String> now = sums(copy);
    if (!now.equals(sums)) {
      throw new BrokenException("read as " + now + ", written as " + sums);
    }
    return sums.size() + " files equal (SHA-256)";
  }

  void awaitWhole() throws BrokenException, ExperimentException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WHOLE_SECONDS);
    while (true) {
      String found = client().hdfs("fsck", "/").out();
      if (found.contains("is HEALTHY")
          && found.matches("(?s).*Under-replicated blocks:\\s+0 .*")
          && found.matches("(?s).*Over-replicated blocks:\\s+0 .*")) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new BrokenException("not whole after %d s: %s".formatted(WHOLE_SECONDS, found));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Returns the output of a program, or throws if it failed. */
  static String done(ProgramResult ran) throws BrokenException {
    if (ran.status() != 0) {
      throw new BrokenException(ran.line());
    }
    return ran.out();
  }
}
