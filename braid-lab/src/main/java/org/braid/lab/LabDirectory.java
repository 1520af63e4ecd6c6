package org.braid.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.braid.experiment.ExperimentException;
import org.braid.lab.namespace.FileTrees;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;

/**
 * The files of a lab: configuration, logs and data. Data in memory is in a file system that only
 * the lab sees and that ends with the lab.
 */
final class LabDirectory {
  /** The configuration of jobs, where YARN runs. */
  static final String JOBS = "jobs.xml";

  private static final String PREFIX = "braid-lab-";

  private final Path root;
  private final Optional<Path> disk;

  /**
   * The files of a lab.
   *
   * @param root the directory of all files except data on a disk
   * @param disk the directory of the data; empty: the data is in memory
   */
  LabDirectory(Path root, Optional<Path> disk) {
    this.root = root.toAbsolutePath();
    this.disk = disk.map(Path::toAbsolutePath);
  }

  /**
   * Returns the path of a new directory for a lab's data below a directory of the user, without
   * creating it. The path is unique, as labs of the same name may run there for other users or from
   * other registries, and killed labs may have left their data.
   */
  static Path onDisk(Path directory, String id) {
    return directory.toAbsolutePath().resolve(PREFIX + id + "-" + UUID.randomUUID());
  }

  /** Makes the directories and writes the host names and racks. */
  void make(LabTopology topology) throws IOException {
    Files.createDirectories(logs());
    Files.createDirectories(root.resolve("data"));
    if (disk.isPresent()) {
      Files.createDirectories(disk.get());
    }
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost " + ownName() + "\n");
    StringBuilder racks = new StringBuilder();
    for (Host host : topology.hosts()) {
      hosts.append(host.address()).append(' ').append(host.name()).append('\n');
      if (host.rack().isPresent()) {
        String location = topology.location(host.rack().getAsInt());
        racks.append(host.address()).append('\t').append(location).append('\n');
        racks.append(host.name()).append('\t').append(location).append('\n');
      }
    }
    write("hosts", hosts.toString());
    write("resolv.conf", "");
    write("racks", racks.toString());
  }

  /** The host name of this machine, which hosts keep where they cannot have their own. */
  private static String ownName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Writes a file. */
  void write(String name, String text) throws IOException {
    Files.write(root.resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }

  Path root() {
    return root;
  }

  Path logs() {
    return root.resolve("logs");
  }

  /** The log of a daemon. */
  Path log(String role) {
    return logs().resolve(role + ".log");
  }

  Path site() {
    return root.resolve("site.xml");
  }

  /** A directory as Hadoop's own clients want it, with what {@link #site} says. */
  Path clientConfiguration() throws ExperimentException {
    Path directory = root.resolve("conf");
    try {
      Files.createDirectories(directory);
      copy(site(), directory.resolve("core-site.xml"));
      if (Files.exists(jobs())) {
        // The defaults of YARN and MapReduce come after core-site.xml.
        copy(site(), directory.resolve("yarn-site.xml"));
        copy(jobs(), directory.resolve("mapred-site.xml"));
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + directory, e);
    }
    return directory;
  }

  private static void copy(Path file, Path to) throws IOException {
    Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The configuration of jobs. */
  Path jobs() {
    return root.resolve(JOBS);
  }

  /** The directory of data as daemons see it. */
  Path data() {
    return disk.orElseGet(() -> root.resolve("data"));
  }

  Optional<Path> disk() {
    return disk;
  }

  /** Bytes in the files of NameNode and DataNodes. */
  long stored(Namespaces space) {
    if (disk.isPresent()) {
      return FileTrees.size(disk.get());
    }
    return FileTrees.used(space.seen(data()));
  }

  /** The directory of a host's data as daemons see it. */
  Path data(Host host) {
    return data().resolve(host.name());
  }

  /** Bytes of memory that the data needs. */
  OptionalLong memory(long room) {
    return disk.isPresent() ? OptionalLong.empty() : OptionalLong.of(room);
  }

  /** Deletes everything. */
  void delete() throws ExperimentException {
    for (Path path : disk.isPresent() ? List.of(disk.get(), root) : List.of(root)) {
      try {
        FileTrees.delete(path);
      } catch (IOException e) {
        throw ExperimentException.failed("cannot delete the lab's files in " + path, e);
      }
    }
  }
}
