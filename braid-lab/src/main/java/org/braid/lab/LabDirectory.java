package org.braid.lab;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.braid.experiment.ExperimentException;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.space.Space;
import org.braid.lab.space.Trees;

/**
 * The files of a lab: what daemons are configured with, their logs, and what they store. What is
 * stored in memory is in a file system that only the lab sees and that goes with it.
 */
final class LabDirectory {
  private static final String PREFIX = "braid-lab-";

  private final Path root;
  private final Optional<Path> disk;

  /**
   * A lab's files.
   *
   * @param root the directory of everything but, perhaps, the data
   * @param disk the directory of the data, made for this lab; empty: the data is in memory
   */
  LabDirectory(Path root, Optional<Path> disk) {
    this.root = root.toAbsolutePath();
    this.disk = disk.map(Path::toAbsolutePath);
  }

  /** The directory of a lab's data below one that the user names. */
  static Path onDisk(Path directory, String id) {
    return directory.toAbsolutePath().resolve(PREFIX + id);
  }

  /** Makes the directories and writes who is called what. */
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

  /** The name that hosts have where they cannot be given one of their own. */
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

  /** Where daemons store, as they see it. */
  Path data() {
    return disk.orElseGet(() -> root.resolve("data"));
  }

  Optional<Path> disk() {
    return disk;
  }

  /** Bytes in the files of NameNode and DataNodes. */
  long stored(Space space) {
    if (disk.isPresent()) {
      return Trees.size(disk.get());
    }
    // Asks the file system, not its files: one call, whatever is stored.
    File seen = space.seen(data()).toFile();
    return seen.getTotalSpace() - seen.getFreeSpace();
  }

  /** Bytes for data that have to be had from memory. */
  OptionalLong memory(long room) {
    return disk.isPresent() ? OptionalLong.empty() : OptionalLong.of(room);
  }

  /** Deletes everything. */
  void delete() throws ExperimentException {
    for (Path path : disk.isPresent() ? List.of(disk.get(), root) : List.of(root)) {
      try {
        Trees.delete(path);
      } catch (IOException e) {
        throw ExperimentException.failed("cannot delete the lab's files in " + path, e);
      }
    }
  }
}
