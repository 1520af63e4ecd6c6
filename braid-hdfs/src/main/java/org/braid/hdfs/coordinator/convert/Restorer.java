package org.braid.hdfs.coordinator.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.ParitySweep;
import org.braid.hdfs.coordinator.session.Pins;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Turns converted files back into replicated ones, in the safe order: first all replicas exist,
 * then parity goes.
 */
public final class Restorer {
  private final Session session;
  private final Progress progress;
  private final Stopwatch watch = new Stopwatch();
  private final List<Skipped> skipped = new ArrayList<>();

  public Restorer(Session session, Progress progress) {
    this.session = session;
    this.progress = progress;
  }

  private record Converted(StoredFile file, int replication) {}

  public RestoreReport restore(String path) throws IOException {
    List<StoredFile> files = session.nameNode().files(path);
    StripeMap stripes = StripeMap.of(session.nameNode(), files);
    ClusterState state = session.sight().now();
    long before = stripes.storedBytes(files);
    List<Converted> work = new ArrayList<>();
    for (StoredFile file : files) {
      int replication = replicationOf(file, stripes);
      if (replication == 0) {
        continue;
      }
      if (readable(file, state)) {
        work.add(new Converted(file, replication));
      }
    }
    List<Converted> raised = new ArrayList<>();
    for (Converted one : work) {
      if (raise(one)) {
        raised.add(one);
      }
    }
    Faults.reach(FaultStep.RESTORE_RAISED, raised.size() + " files");
    await(path, raised);
    unpin(path, raised);
    Faults.reach(FaultStep.RESTORE_REPLICATED, raised.size() + " files");
    int deleted = new ParitySweep(session).sweep(stripes.all());
    Faults.reach(FaultStep.RESTORE_SWEPT, deleted + " parity files");
    List<StoredFile> after = session.nameNode().files(path);
    return new RestoreReport(
        raised.stream()
            .map(c -> new Restored(c.file().path(), c.file().blocks().size(), c.replication()))
            .toList(),
        skipped,
        deleted,
        before,
        StripeMap.of(session.nameNode(), after).storedBytes(after),
        watch.seconds());
  }

  /** Raises a file's replication; says whether users allow it. */
  private boolean raise(Converted one) throws IOException {
    try {
      session.nameNode().raise(session.lease(), one.file().inode(), one.replication());
      return true;
    } catch (FileNotFoundException e) {
      skipped.add(new Skipped(one.file().path(), "GONE", "it was deleted meanwhile"));
    } catch (QuotaExceededException e) {
      skipped.add(
          new Skipped(
              one.file().path(),
              "QUOTA",
              "it stays encoded, as %d replicas do not fit: %s"
                  .formatted(one.replication(), e.getMessage())));
    }
    return false;
  }

  private void unpin(String path, List<Converted> work) throws IOException {
    Set<Long> inodes = new HashSet<>();
    work.forEach(c -> inodes.add(c.file().inode()));
    List<BlockStatus> blocks =
        session.nameNode().files(path).stream()
            .filter(file -> inodes.contains(file.inode()))
            .flatMap(file -> file.blocks().stream())
            .toList();
    new Pins(session.workers()).unpin(session.sight().now(), blocks);
  }

  /** The replication a file had before conversion; 0 when no block of it is in a stripe. */
  private static int replicationOf(StoredFile file, StripeMap stripes) {
    int replication = 0;
    for (BlockStatus block : file.blocks()) {
      StripeStatus status = stripes.of(block);
      if (status == null) {
        continue;
      }
      for (Member member : status.stripe().members()) {
        if (member.isBlock(block.block().id())) {
          replication = Math.max(replication, Math.max(1, member.replication()));
        }
      }
    }
    return replication;
  }

  private boolean readable(StoredFile file, ClusterState state) {
    int lost = 0;
    for (BlockStatus block : file.blocks()) {
      if (state.readable(block).length == 0) {
        lost++;
      }
    }
    if (lost > 0) {
      skipped.add(
          new Skipped(
              file.path(),
              "BLOCKS_LOST",
              lost
                  + " of its "
                  + file.blocks().size()
                  + " blocks have no readable copy: run braid repair first"));
    }
    return lost == 0;
  }

  /**
   * Waits until every block has all its replicas: as many as it had before conversion, or less when
   * users want less by now.
   */
  private void await(String path, List<Converted> work) throws IOException {
    Map<Long, Integer> recorded = new HashMap<>();
    work.forEach(c -> recorded.put(c.file().inode(), c.replication()));
    ReplicaWait wait =
        new ReplicaWait(session.nameNode().cluster().getReconstructionTimeoutSeconds());
    while (true) {
      long total = 0;
      long have = 0;
      boolean copied = false;
      Set<String> open = new TreeSet<>();
      for (StoredFile file : session.nameNode().files(path)) {
        Integer before = recorded.get(file.inode());
        for (BlockStatus block : file.blocks()) {
          if (before == null) {
            break;
          }
          int wanted = Math.min(before, file.replication());
          long live = block.replicas().stream().filter(r -> r.live()).count();
          total += wanted;
          have += Math.min(live, wanted);
          if (live < wanted) {
            open.add(file.path());
            copied |= live > 0;
          }
        }
      }
      progress.at("replicating", have, total);
      if (open.isEmpty()) {
        return;
      }
      if (!copied) {
        throw new IOException(
            ("blocks of %s and %d more have no copy any more; parity stays: run braid repair, then"
                    + " braid restore again")
                .formatted(open.iterator().next(), open.size() - 1));
      }
      if (wait.isVain(have, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()))) {
        throw new IOException(
            ("%d of %d replicas exist and none was added for %d s; parity stays, the files are safe:"
                    + " %s and %d more wait for replicas; run braid restore again")
                .formatted(have, total, wait.patience(), open.iterator().next(), open.size() - 1));
      }
      if (!session.nameNode().renew(session.lease())) {
        throw new IOException(
            ("the coordinator's lease is lost while %s and %d more wait for replicas; parity stays,"
                    + " the files are safe: run braid restore again")
                .formatted(open.iterator().next(), open.size() - 1));
      }
      Waiting.pause(100);
    }
  }
}
