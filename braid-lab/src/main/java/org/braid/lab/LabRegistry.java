package org.braid.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.experiment.TemporaryFiles;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.daemon.YarnDaemons;
import org.braid.lab.namespace.FileTrees;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.namespace.Proc;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;

/** The labs of this user on this machine. */
public final class LabRegistry {
  /** The environment variable of the directory of labs' files. */
  private static final String PLACE = "BRAID_LAB_DIR";

  /** The name of the kept lab. */
  static final String KEPT = "lab";

  /** The names of labs: of the kept one, and of those of processes, with their numbers. */
  private static final Pattern LAB = Pattern.compile(KEPT + "|run-([0-9]{1,18})-[0-9]+");

  private static final long PROBE_BYTES = 1 << 20;

  private final Path place;

  private LabRegistry(Path place) {
    this.place = place;
  }

  /** The state of a lab. */
  public enum State {
    /** Runs until it is taken down. */
    RUNNING,
    /** Runs until the process that uses it ends. */
    IN_USE,
    /** Was killed; its files remain. */
    LEFTOVER
  }

  /**
   * A daemon.
   *
   * @param name the host's name
   * @param location its rack, in HDFS's form; empty for a host in no rack
   * @param pid its process; 0: it does not run
   * @param memory bytes of memory in use
   * @param cpuSeconds processor time in seconds
   */
  public record Daemon(String name, String location, long pid, long memory, double cpuSeconds) {}

  /**
   * The state of a lab as other processes see it.
   *
   * @param settings its settings; empty when its record cannot be read
   * @param keeper the process whose end ends the lab; 0 when it does not run
   * @param since start time in milliseconds since 1970
   * @param stored bytes of its data
   */
  public record Status(
      String id,
      State state,
      Optional<LabSettings> settings,
      long keeper,
      long since,
      List<Daemon> daemons,
      long stored,
      Path directory) {
    public Status {
      daemons = List.copyOf(daemons);
    }
  }

  /**
   * The labs of this user: below {@code BRAID_LAB_DIR}, or in the directory for temporary files.
   */
  public static LabRegistry here() throws ExperimentException {
    String named = System.getenv(PLACE);
    Path place =
        named == null || named.isEmpty()
            ? Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "braid-lab-" + System.getProperty("user.name", "user"))
            : Path.of(named);
    return in(place);
  }

  /** Why this machine cannot run a lab, and the remedy; empty when it can. */
  public static Optional<String> obstacle() throws InterruptedException {
    try {
      Path probe = TemporaryFiles.here().directory("braid-lab-probe-");
      try {
        LabDirectory directory = new LabDirectory(probe, Optional.empty());
        directory.make(LabTopology.parse("1x1", 0));
        Namespaces.create(probe, directory.memory(PROBE_BYTES)).destroy();
        return Optional.empty();
      } finally {
        FileTrees.delete(probe);
      }
    } catch (ExperimentException | IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The labs below a directory; makes the directory if it is missing. */
  static LabRegistry in(Path place) throws ExperimentException {
    Path absolute = place.toAbsolutePath().normalize();
    if (absolute.startsWith("/run") || absolute.startsWith("/var/run")) {
      throw ExperimentException.wrong(
          PLACE + "=" + place + ": labs cannot see what is below /run; name another directory");
    }
    try {
      if (!Files.isDirectory(absolute)) {
        Files.createDirectories(
            absolute,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      if (!Files.getOwner(absolute).getName().equals(System.getProperty("user.name"))) {
        throw ExperimentException.refused(
            absolute + " belongs to somebody else: set " + PLACE + " to a directory of yours");
      }
      return new LabRegistry(absolute);
    } catch (IOException e) {
      throw ExperimentException.refused(
          "cannot make " + absolute + " for the lab's files: set " + PLACE + " to another one");
    }
  }

  Path place() {
    return place;
  }

  /** The record of a running lab, by its name. */
  Optional<LabRecord> running(String id) {
    return LabRecord.read(place.resolve(id)).filter(found -> found.space().alive());
  }

  /** All labs, including killed ones. */
  public List<Status> list() throws ExperimentException {
    List<Status> all = new ArrayList<>();
    for (Path directory : directories()) {
      all.add(status(directory));
    }
    return all;
  }

  /** The lab that is kept, if it runs. */
  public Optional<Status> kept() throws ExperimentException {
    return list().stream().filter(status -> status.state() == State.RUNNING).findFirst();
  }

  /**
   * A program on a host of the kept lab, for the caller to start, in this process's directory;
   * {@code HADOOP_CONF_DIR} names the lab's configuration.
   *
   * @param host as the lab names it
   * @throws ExperimentException when no lab is kept, or it has no such host
   */
  public ProcessBuilder program(String host, List<String> command) throws ExperimentException {
    LabRecord lab = keptRecord();
    List<String> hosts = lab.settings().topology().hosts().stream().map(Host::name).toList();
    if (!hosts.contains(host)) {
      throw ExperimentException.wrong(
          "the lab has no host " + host + ": " + String.join(", ", hosts));
    }
    // Whoever enters the lab's mounts stands at their root.
    List<String> here = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec \"$@\""));
    here.add(Path.of("").toAbsolutePath().toString());
    here.addAll(command);
    ProcessBuilder program = Namespaces.attach(lab.space()).onHost(host, here);
    program
        .environment()
        .put("HADOOP_CONF_DIR", lab.directory(place).clientConfiguration().toString());
    return program;
  }

  private LabRecord keptRecord() throws ExperimentException {
    return kept()
        .flatMap(status -> running(status.id()))
        .orElseThrow(() -> ExperimentException.wrong("no lab runs: start one by braid lab up"));
  }

  /**
   * A Java program that runs jobs on the kept lab, for the caller to start. Its first argument is
   * the configuration file of jobs.
   *
   * @param host as the lab names it
   * @param main the main class
   * @throws ExperimentException when no lab is kept, or it has no such host or no YARN
   */
  public ProcessBuilder jobClient(String host, String main, List<String> arguments)
      throws ExperimentException {
    LabRecord lab = keptRecord();
    if (lab.settings().nodeManagers() == 0) {
      throw ExperimentException.wrong(
          "the lab that runs has no YARN: take it down, and start one by braid lab up --yarn");
    }
    LabDirectory directory = lab.directory(place);
    List<String> words = new ArrayList<>(List.of(main, directory.jobs().toString()));
    words.addAll(arguments);
    return program(host, YarnDaemons.client(directory.root(), words));
  }

  /** The directories of labs; skips other entries, which are not labs. */
  private List<Path> directories() throws ExperimentException {
    try (Stream<Path> files = Files.list(place)) {
      return files
          .filter(file -> LAB.matcher(String.valueOf(file.getFileName())).matches())
          .filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot read " + place, e);
    }
  }

  private Status status(Path directory) {
    String id = String.valueOf(directory.getFileName());
    Optional<LabRecord> found = LabRecord.read(directory);
    if (found.isEmpty()) {
      State state = isStarting(id) ? State.IN_USE : State.LEFTOVER;
      return new Status(id, state, Optional.empty(), 0, 0, List.of(), 0, directory);
    }
    LabRecord lab = found.get();
    LabSettings settings = lab.settings();
    if (!lab.space().alive()) {
      return new Status(
          id, State.LEFTOVER, Optional.of(settings), 0, lab.since(), List.of(), 0, directory);
    }
    Namespaces space = Namespaces.attach(lab.space());
    return new Status(
        id,
        lab.kept() ? State.RUNNING : State.IN_USE,
        Optional.of(settings),
        lab.space().keeper(),
        lab.since(),
        daemons(settings, space),
        lab.directory(place).stored(space),
        directory);
  }

  /** Whether a lab without a record belongs to a process that runs, and may be starting it. */
  private static boolean isStarting(String id) {
    Matcher name = LAB.matcher(id);
    return name.matches()
        && name.group(1) != null
        && ProcessHandle.of(Long.parseLong(name.group(1))).isPresent();
  }

  private static List<Daemon> daemons(LabSettings settings, Namespaces space) {
    LabTopology topology = settings.topology();
    Map<String, Namespaces.Member> members = space.members();
    Map<String, String> locations = new LinkedHashMap<>();
    Daemons.roles(topology, settings.plugins()).forEach(role -> locations.put(role, ""));
    for (int node = 0; node < topology.topology().nodes(); node++) {
      locations.put(
          topology.topology().nodeName(node), topology.location(topology.topology().rackOf(node)));
    }
    YarnDaemons.roles(topology, settings.nodeManagers())
        .forEach(role -> locations.put(role, YarnDaemons.location(role, topology)));
    List<Daemon> daemons = new ArrayList<>();
    locations.forEach(
        (name, location) -> {
          Namespaces.Member member = members.get(name);
          daemons.add(
              member == null
                  ? new Daemon(name, location, 0, 0, 0)
                  : new Daemon(
                      name,
                      location,
                      member.pid(),
                      Proc.memory(member.pid()),
                      Proc.cpuSeconds(member.pid())));
        });
    return daemons;
  }

  /**
   * Starts a lab that outlives this process and tests its links.
   *
   * @throws ExperimentException when one runs already, or this machine lacks a requirement
   */
  public LinkTest up(LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    return LabStarter.up(this, settings, progress);
  }

  /**
   * Takes down the kept lab and leftovers.
   *
   * @param scope whether to include labs that other processes use
   * @return the labs that were taken down, with their last state
   */
  public List<Status> down(Scope scope) throws ExperimentException, InterruptedException {
    List<Status> gone = new ArrayList<>();
    for (Path directory : directories()) {
      Status status = status(directory);
      if (status.state() != State.IN_USE || scope == Scope.ALL) {
        remove(directory);
        gone.add(status);
      }
    }
    return gone;
  }

  /** The labs to take down. */
  public enum Scope {
    /** The kept lab and leftovers. */
    KEPT,
    /** All labs, including those that other processes use. */
    ALL
  }

  private void remove(Path directory) throws ExperimentException, InterruptedException {
    Optional<LabRecord> found = LabRecord.read(directory);
    if (found.isEmpty()) {
      if (LabRecord.isIn(directory)) {
        throw ExperimentException.refused(
            "cannot read what %s says of a lab, whose processes may run: end these, then delete it"
                .formatted(directory));
      }
      try {
        FileTrees.delete(directory);
      } catch (IOException e) {
        throw ExperimentException.failed("cannot delete " + directory, e);
      }
      return;
    }
    Namespaces.destroy(found.get().space());
    found.get().directory(place).delete();
  }

  /** Deletes the files of killed labs. */
  void sweep(RunProgress progress) throws ExperimentException, InterruptedException {
    for (Path directory : directories()) {
      // A lab that is starting has no record yet.
      boolean old = LabRecord.read(directory).isPresent();
      Status status = status(directory);
      if (status.state() == State.LEFTOVER && old) {
        progress.say("a lab was left behind in " + directory + ": it is removed");
        remove(directory);
      }
    }
  }
}
