package org.braid.lab.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.Lab;

/** Damages replicas on the disks of DataNodes, and remembers which. */
final class Damage {
  private static final long CALL_SECONDS = 120;
  private static final int ATTEMPTS = 5;
  private static final List<String> ALL = List.of(ChaosPlan.ROOT, "/.braid/stripes");

  private final Lab lab;
  private final Actor actor;
  private final ChaosTally tally;
  private final List<Replica> damaged = new ArrayList<>();

  /** A replica: its file, its block and its DataNode. */
  private record Replica(String path, String block, String host) {
    boolean isSameAs(Replica other) {
      return block.equals(other.block) && host.equals(other.host);
    }
  }

  Damage(Lab lab, Actor actor, ChaosTally tally) {
    this.lab = lab;
    this.actor = actor;
    this.tally = tally;
  }

  /** Changes a byte of one of the replicas that are there now. */
  void flip(int choice) throws ExperimentException, InterruptedException {
    Optional<Path> file = choose(choice);
    if (file.isPresent()) {
      try (RandomAccessFile access = new RandomAccessFile(file.get().toFile(), "rw")) {
        long at = choice % Math.max(1, access.length());
        access.seek(at);
        int old = access.read();
        access.seek(at);
        access.write(old ^ 0x10);
      } catch (IOException e) {
        // Whoever deleted it meanwhile did not want it any more.
        tally.note("damage", "no flip: " + e);
      }
    }
  }

  /** Deletes one of the replicas that are there now. */
  void delete(int choice) throws ExperimentException, InterruptedException {
    Optional<Path> file = choose(choice);
    if (file.isPresent()) {
      try {
        Files.deleteIfExists(file.get());
      } catch (IOException e) {
        tally.note("damage", "no deletion: " + e);
      }
    }
  }

  private Optional<Path> choose(int choice) throws ExperimentException, InterruptedException {
    List<Replica> all = replicas();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Replica replica = all.get(choice % all.size());
    Optional<Path> file = find(replica);
    tally.note("damage", replica + " is " + file.map(Path::toString).orElse("not there"));
    file.ifPresent(there -> damaged.add(replica));
    return file;
  }

  /** The replicas of all files and parity. */
  private List<Replica> replicas() throws ExperimentException, InterruptedException {
    List<Replica> all = new ArrayList<>();
    for (String path : ALL) {
      Reply reply = actor.call(new Command.Blocks(path), CALL_SECONDS);
      // A file that goes meanwhile spoils the list.
      for (int attempt = 0; attempt < ATTEMPTS && !reply.ok(); attempt++) {
        reply = actor.call(new Command.Blocks(path), CALL_SECONDS);
      }
      if (reply.ok()) {
        for (Answer.Block block : reply.as(Answer.BlockLocations.class).blocks()) {
          block
              .nodes()
              .forEach(node -> all.add(new Replica(block.path(), block.name(), node.host())));
        }
      } else {
        tally.note("damage", "none below " + path + ": " + reply);
      }
    }
    return all;
  }

  private Optional<Path> find(Replica replica) throws ExperimentException {
    try (Stream<Path> files = Files.walk(lab.disks().files(replica.host()))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).equals(replica.block()))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      tally.note("damage", "cannot look at the files of " + replica.host() + ": " + e);
      return Optional.empty();
    }
  }

  /** Reports what was damaged, as HDFS's own scanner does within three weeks. */
  void report() throws ExperimentException, InterruptedException {
    for (Replica replica : damaged.isEmpty() ? List.<Replica>of() : replicas()) {
      // It may have another path by now.
      if (damaged.stream().noneMatch(replica::isSameAs)) {
        continue;
      }
      Reply reply =
          actor.call(
              new Command.ReportBad(replica.path(), replica.block(), replica.host()), CALL_SECONDS);
      tally.note("damage", replica + " is reported: " + reply);
    }
    damaged.clear();
  }
}
