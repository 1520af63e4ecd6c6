package org.braid.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Progress;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabTopology;
import org.braid.lab.space.Proc;
import org.braid.lab.space.Space;
import org.braid.lab.space.Trees;

/** The labs of this user on this machine. */
public final class Labs {
  /** The environment variable that names where labs keep their files. */
  private static final String PLACE = "BRAID_LAB_DIR";

  /** The name of the lab that is kept. */
  static final String KEPT = "lab";

  private static final long PROBE_BYTES = 1 << 20;

  private final Path place;

  private Labs(Path place) {
    this.place = place;
  }

  /** How a lab is. */
  public enum State {
    /** It runs until it is taken down. */
    RUNNING,
    /** It runs as long as the process that uses it. */
    IN_USE,
    /** It has ended, by force; its files are still there. */
    LEFTOVER
  }

  /**
   * A daemon.
   *
   * @param name the host's name
   * @param location its rack, as HDFS writes it; empty for the NameNode
   * @param pid its process; 0: it does not run
   * @param memory bytes it has in use
   * @param cpuSeconds processor time it has taken
   */
  public record Daemon(String name, String location, long pid, long memory, double cpuSeconds) {}

  /**
   * What is to be seen of a lab from outside.
   *
   * @param settings what it is like; empty when its files do not tell any more
   * @param keeper the process whose end is its end; 0: it does not run
   * @param since when it was started, in milliseconds since 1970
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
  public static Labs here() throws ExperimentException {
    String named = System.getenv(PLACE);
    Path place =
        named == null || named.isEmpty()
            ? Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "braid-lab-" + System.getProperty("user.name", "user"))
            : Path.of(named);
    return in(place);
  }

  /** Why there can be no lab on this machine, with what to do; empty when there can be one. */
  public static Optional<String> obstacle() throws InterruptedException {
    try {
      Path probe = Files.createTempDirectory("braid-lab-probe-");
      try {
        LabDirectory directory = new LabDirectory(probe, Optional.empty());
        directory.make(LabTopology.parse("1x1", 0));
        Space.create(probe, directory.memory(PROBE_BYTES)).destroy();
        return Optional.empty();
      } finally {
        Trees.delete(probe);
      }
    } catch (ExperimentException | IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The labs below a directory, which is made if it is missing. */
  static Labs in(Path place) throws ExperimentException {
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
      return new Labs(absolute);
    } catch (IOException e) {
      throw ExperimentException.refused(
          "cannot make " + absolute + " for the lab's files: set " + PLACE + " to another one");
    }
  }

  Path place() {
    return place;
  }

  /** The record of a lab that can be used, by its name. */
  Optional<LabRecord> running(String id) {
    return LabRecord.read(place.resolve(id)).filter(found -> found.space().alive());
  }

  /** All labs, those that have ended by force among them. */
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

  private List<Path> directories() throws ExperimentException {
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot read " + place, e);
    }
  }

  private Status status(Path directory) {
    String id = String.valueOf(directory.getFileName());
    Optional<LabRecord> found = LabRecord.read(directory);
    if (found.isEmpty()) {
      return new Status(id, State.LEFTOVER, Optional.empty(), 0, 0, List.of(), 0, directory);
    }
    LabRecord lab = found.get();
    LabSettings settings = lab.settings();
    if (!lab.space().alive()) {
      return new Status(
          id, State.LEFTOVER, Optional.of(settings), 0, lab.since(), List.of(), 0, directory);
    }
    Space space = Space.attach(lab.space());
    return new Status(
        id,
        lab.kept() ? State.RUNNING : State.IN_USE,
        Optional.of(settings),
        lab.space().keeper(),
        lab.since(),
        daemons(settings.topology(), settings.plugins(), space),
        lab.directory(place).stored(space),
        directory);
  }

  private static List<Daemon> daemons(LabTopology topology, Plugins plugins, Space space) {
    Map<String, Space.Member> members = space.members();
    Map<String, String> locations = new LinkedHashMap<>();
    Daemons.roles(topology, plugins).forEach(role -> locations.put(role, ""));
    for (int node = 0; node < topology.topology().nodes(); node++) {
      locations.put(
          topology.topology().nodeName(node), topology.location(topology.topology().rackOf(node)));
    }
    List<Daemon> daemons = new ArrayList<>();
    locations.forEach(
        (name, location) -> {
          Space.Member member = members.get(name);
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
   * Starts a lab that outlives this process, tests its links and says what it measured.
   *
   * @throws ExperimentException when one runs already, or this machine lacks what it takes
   */
  public SelfTest up(LabSettings settings, Progress progress)
      throws ExperimentException, InterruptedException {
    return LabStart.up(this, settings, progress);
  }

  /**
   * Takes labs down: the kept one and what others left behind.
   *
   * @param scope also those that other processes use
   * @return what was taken down, as it was before
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

  /** Which labs. */
  public enum Scope {
    /** The one that is kept, and leftovers. */
    KEPT,
    /** Also those that other processes use. */
    ALL
  }

  private void remove(Path directory) throws ExperimentException, InterruptedException {
    Optional<LabRecord> found = LabRecord.read(directory);
    if (found.isEmpty()) {
      try {
        Trees.delete(directory);
      } catch (IOException e) {
        throw ExperimentException.failed("cannot delete " + directory, e);
      }
      return;
    }
    Space.destroy(found.get().space());
    found.get().directory(place).delete();
  }

  /** Deletes what labs that have ended by force left behind. */
  void sweep(Progress progress) throws ExperimentException, InterruptedException {
    for (Path directory : directories()) {
      // One that is being started has no record yet.
      boolean old = LabRecord.read(directory).isPresent();
      Status status = status(directory);
      if (status.state() == State.LEFTOVER && old) {
        progress.say("a lab was left behind in " + directory + ": it is removed");
        remove(directory);
      }
    }
  }
}
