package org.braid.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.experiment.text.Sizes;
import org.braid.lab.daemon.ClassArchive;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.daemon.JavaLauncher;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.daemon.YarnDaemons;
import org.braid.lab.daemon.YarnJars;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.namespace.OwnDisks;
import org.braid.lab.namespace.Proc;
import org.braid.lab.network.Host;
import org.braid.lab.network.NetworkScript;

/** Starts labs, keeps them and joins kept ones. */
final class LabStarter {
  /** Most tests of the links. */
  private static final int MOST_TESTS = 5;

  private static final AtomicInteger STARTED = new AtomicInteger();

  private LabStarter() {}

  /** A lab for this process alone. */
  static Lab start(LabRegistry labs, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    labs.sweep(progress);
    Lab lab = start(labs, ownId(), settings, Lab::startDaemons, progress);
    boolean good = false;
    try {
      test(lab, progress);
      good = true;
      return lab;
    } finally {
      if (!good) {
        lab.close();
      }
    }
  }

  /** A lab for this process alone, whose daemons the caller starts. */
  static Lab network(LabRegistry labs, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    labs.sweep(progress);
    return start(labs, ownId(), settings, (lab, silent) -> lab.leaveDaemons(), progress);
  }

  private static String ownId() {
    return "run-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet();
  }

  /** Starts the daemons of a lab. */
  private interface Starter {
    void start(Lab lab, RunProgress progress) throws ExperimentException, InterruptedException;
  }

  /** The kept lab if its settings fit, or a lab for this process alone. */
  static Lab open(LabRegistry labs, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    Optional<LabRecord> kept = labs.running(LabRegistry.KEPT).filter(LabRecord::kept);
    if (kept.isEmpty()) {
      return start(labs, settings, progress);
    }
    if (!settings.servedBy(kept.get().settings())) {
      progress.say("the lab that runs is of other settings: one of its own is started");
      return start(labs, settings, progress);
    }
    return join(labs, kept.get(), settings, progress);
  }

  private static Lab join(
      LabRegistry labs, LabRecord kept, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    LabDirectory directory = kept.directory(labs.place());
    Runnable release = lock(directory);
    boolean joined = false;
    try {
      Namespaces space = Namespaces.attach(kept.space());
      Daemons daemons = daemons(settings, directory, archives(labs, settings, progress));
      Lab lab = new Lab(settings, space, daemons, directory, release);
      try {
        lab.mend();
        lab.check();
        lab.limit(settings.plan().limits());
        test(lab, progress);
        joined = true;
        progress.say("using the lab that runs");
        return lab;
      } finally {
        if (!joined) {
          lab.close();
        }
      }
    } finally {
      if (!joined) {
        release.run();
      }
    }
  }

  /** Allows one run at a time: two would measure each other. */
  private static Runnable lock(LabDirectory directory) throws ExperimentException {
    Path file = directory.root().resolve("lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } catch (OverlappingFileLockException e) {
        // This process holds the lock.
      }
      if (lock == null) {
        channel.close();
        throw ExperimentException.refused(
            "the lab is in use by another run: wait for it, or take it down by braid lab down");
      }
      return () -> close(channel);
    } catch (IOException e) {
      throw ExperimentException.failed("cannot lock " + file, e);
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }

  /** A lab that outlives this process. */
  static LinkTest up(LabRegistry labs, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    labs.sweep(progress);
    Optional<LabRecord> running = labs.running(LabRegistry.KEPT);
    if (running.isPresent()) {
      throw ExperimentException.refused(
          "a lab runs already (%s, process %d): take it down by braid lab down"
              .formatted(running.get().settings().topology(), running.get().space().keeper()));
    }
    try (Lab lab = start(labs, LabRegistry.KEPT, settings, Lab::startDaemons, progress)) {
      LinkTest test = test(lab, progress);
      LabRecord.read(lab.directory().root()).orElseThrow().asKept().write(labs.place());
      lab.keep();
      return test;
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + labs.place(), e);
    }
  }

  private static Lab start(
      LabRegistry labs, String id, LabSettings settings, Starter daemons, RunProgress progress)
      throws ExperimentException, InterruptedException {
    checkRoom(settings);
    Archives archives = archives(labs, settings, progress);
    return start(labs, id, settings, archives, daemons, progress);
  }

  private static Lab start(
      LabRegistry labs,
      String id,
      LabSettings settings,
      Archives archives,
      Starter daemons,
      RunProgress progress)
      throws ExperimentException, InterruptedException {
    LabDirectory directory =
        new LabDirectory(
            labs.place().resolve(id),
            settings.directory().map(disk -> LabDirectory.onDisk(disk, id)));
    Namespaces space = null;
    boolean launched = false;
    boolean started = false;
    try {
      directory.make(settings.topology());
      Daemons wanted = daemons(settings, directory, archives);
      writeConfiguration(settings, directory, wanted);
      space = Namespaces.create(directory.root(), directory.memory(settings.room()));
      LabRecord.of(id, settings, space.identity(), directory.disk()).write(labs.place());
      progress.at("network", 0, 1);
      space.run(new NetworkScript(settings.topology()).setUp());
      progress.at("network", 1, 1);
      if (settings.disks() == LabSettings.Disks.OWN) {
        List<Host> hosts = settings.topology().hosts(Host.Role.DATA_NODE);
        new OwnDisks(space).mount(hosts.stream().map(directory::data).toList(), settings.room());
      }
      Namespaces own = space;
      Lab lab = new Lab(settings, space, wanted, directory, () -> end(own, directory));
      launched = true;
      daemons.start(lab, progress);
      lab.limit(settings.plan().limits());
      started = true;
      return lab;
    } catch (IOException e) {
      throw ExperimentException.failed(
          "cannot write the lab's files to " + directory.root() + ": " + e.getMessage(), e);
    } finally {
      if (!started) {
        if (space != null) {
          space.destroy();
        }
        // The logs say why; the next lab that is started removes them.
        if (!launched) {
          directory.delete();
        }
      }
    }
  }

  /**
   * The class archives and jars with which programs are started.
   *
   * @param hdfs the archive of the classes of HDFS
   * @param yarn the archive of the classes of YARN; that of HDFS where YARN does not run
   * @param jars of YARN and MapReduce; none where YARN does not run
   * @param lists the directory in which programs of YARN list their loaded classes; empty for none
   */
  private record Archives(
      ClassArchive hdfs, ClassArchive yarn, List<Path> jars, Optional<Path> lists) {}

  private static Archives archives(LabRegistry labs, LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    List<Path> jars = settings.nodeManagers() == 0 ? List.of() : YarnJars.find();
    Path cache = ClassArchive.cache();
    ClassArchive hdfs = ClassArchive.of(cache, progress);
    ClassArchive yarn =
        jars.isEmpty()
            ? hdfs
            : ClassArchive.of(
                cache, jars, hdfs, lists -> train(labs, hdfs, jars, lists, progress), progress);
    return new Archives(hdfs, yarn, jars, Optional.empty());
  }

  /** Runs jobs on a small lab whose programs list the classes that they load. */
  private static void train(
      LabRegistry labs, ClassArchive hdfs, List<Path> jars, Path lists, RunProgress progress)
      throws ExperimentException, InterruptedException {
    Archives archives = new Archives(hdfs, hdfs, jars, Optional.of(lists));
    try (Lab lab = start(labs, ownId(), YarnTraining.LAB, archives, Lab::startDaemons, progress)) {
      YarnTraining.run(lab);
    }
  }

  /** The daemons of a lab; writes the options of their JVMs. */
  private static Daemons daemons(LabSettings settings, LabDirectory directory, Archives archives)
      throws ExperimentException {
    Optional<YarnDaemons> yarn = Optional.empty();
    if (settings.nodeManagers() > 0) {
      yarn =
          Optional.of(
              new YarnDaemons(
                  YarnDaemons.hosts(settings.topology(), settings.nodeManagers()),
                  JavaLauncher.prepareYarn(
                      directory.root(), archives.yarn(), archives.jars(), archives.lists()),
                  directory.site(),
                  directory.data(),
                  directory.logs()));
    }
    return new Daemons(
        settings.topology(),
        settings.plugins(),
        JavaLauncher.prepare(directory.root(), archives.hdfs()),
        directory.site(),
        directory.data(),
        directory.logs(),
        yarn);
  }

  /** Writes the configuration of daemons and clients, and that of jobs where YARN runs. */
  private static void writeConfiguration(
      LabSettings settings, LabDirectory directory, Daemons daemons) throws IOException {
    Map<String, String> all = new TreeMap<>();
    daemons.yarn().ifPresent(yarn -> all.putAll(yarn.properties()));
    all.putAll(settings.properties());
    directory.write("site.xml", site(settings, directory, all));
    if (daemons.yarn().isPresent()) {
      if (settings.plugins() != Plugins.NONE) {
        YarnDaemons.ofJobs().forEach(all::putIfAbsent);
      }
      directory.write(LabDirectory.JOBS, site(settings, directory, all));
      Path yarn = Files.createDirectories(JavaLauncher.yarnConfiguration(directory.root()));
      Files.copy(directory.site(), yarn.resolve("yarn-site.xml"));
    }
  }

  private static String site(
      LabSettings settings, LabDirectory directory, Map<String, String> properties) {
    return Daemons.site(
        settings.blockSize(),
        directory.root().resolve("racks"),
        directory.data(),
        settings.plugins(),
        properties);
  }

  private static void end(Namespaces space, LabDirectory directory) {
    // An interrupt must not prevent the end of the lab.
    boolean interrupted = Thread.interrupted();
    try {
      space.destroy();
      directory.delete();
    } catch (ExperimentException e) {
      // A later start removes it as a leftover.
      System.err.println("braid: " + e.getMessage());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tests the links, and again if they fail: other load may have slowed the machine. */
  private static LinkTest test(Lab lab, RunProgress progress)
      throws ExperimentException, InterruptedException {
    for (int tests = 1; true; tests++) {
      LinkTest test = LinkTest.of(lab, progress);
      Optional<LinkTest.Ring> failed = test.rings().stream().filter(ring -> !ring.ok()).findFirst();
      if (failed.isEmpty()) {
        return test;
      }
      if (tests == MOST_TESTS) {
        throw ExperimentException.refused(
            "the links do not carry what they should (%s): lower the rates, or leave the machine to"
                    .formatted(failed.get())
                + " the lab");
      }
      progress.say("the links did not carry what they should, they are tested again");
    }
  }

  private static void checkRoom(LabSettings settings) throws ExperimentException {
    long daemons =
        Daemons.memory(settings.topology()) + YarnDaemons.memory(settings.nodeManagers());
    long memory = daemons + (settings.directory().isPresent() ? 0 : settings.room());
    long available = Proc.memoryAvailable();
    if (memory > available) {
      throw ExperimentException.refused(
          "%s need some %s of memory and %s for data, %s are available: take fewer nodes, less room"
                  .formatted(
                      settings.nodeManagers() == 0
                          ? settings.topology()
                          : settings.topology()
                              + ", "
                              + Sizes.count(settings.nodeManagers(), "NodeManager"),
                      Sizes.format(daemons),
                      Sizes.format(memory - daemons),
                      Sizes.format(available))
              + " for data, or a directory on a disk");
    }
    if (settings.directory().isPresent()) {
      Path disk = settings.directory().get();
      if (!Files.isDirectory(disk) || !Files.isWritable(disk)) {
        throw ExperimentException.refused(disk + " is no directory that can be written to");
      }
      if (disk.toAbsolutePath().normalize().startsWith("/run")) {
        throw ExperimentException.refused(
            disk + " is below /run, which the lab does not see: name another directory");
      }
      long free = disk.toFile().getUsableSpace();
      if (free < settings.room()) {
        throw ExperimentException.refused(
            "%s has %s free, the lab is to have %s for data: free some, or give it less room"
                .formatted(disk, Sizes.format(free), Sizes.format(settings.room())));
      }
    }
  }
}
