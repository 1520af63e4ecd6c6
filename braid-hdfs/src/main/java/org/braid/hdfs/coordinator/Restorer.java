package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;

/**
 * Turns converted files back into replicated ones, in the safe order: first all replicas exist,
 * then parity goes.
 */
final class Restorer {
  /** How long HDFS may make no progress at all before the work is given up. */
  private static final long STALL_MILLIS = 120_000;

  private final Session session;
  private final Progress progress;
  private final Stopwatch watch = new Stopwatch();
  private final List<Skipped> skipped = new ArrayList<>();

  Restorer(Session session, Progress progress) {
    this.session = session;
    this.progress = progress;
  }

  private record Converted(FileProto file, int replication) {}

  RestoreReport restore(String path) throws IOException {
    List<FileProto> files = session.nameNode().files(path);
    StripeMap stripes = StripeMap.of(session.nameNode(), files);
    ClusterState state = session.sight().now();
    long before = stripes.storedBytes(files);
    List<Converted> work = new ArrayList<>();
    for (FileProto file : files) {
      int replication = replicationOf(file, stripes);
      if (replication == 0) {
        continue;
      }
      if (readable(file, state)) {
        work.add(new Converted(file, replication));
      }
    }
    for (Converted one : work) {
      session.nameNode().raise(session.lease(), one.file().getInode(), one.replication());
    }
    Faults.reach(FaultStep.RESTORE_RAISED, work.size() + " files");
    await(path, work);
    unpin(path, work);
    Faults.reach(FaultStep.RESTORE_REPLICATED, work.size() + " files");
    int deleted = session.nameNode().sweep(session.lease(), stripes.ids()).size();
    Faults.reach(FaultStep.RESTORE_SWEPT, deleted + " parity files");
    List<FileProto> after = session.nameNode().files(path);
    return new RestoreReport(
        work.stream()
            .map(c -> new Restored(c.file().getPath(), c.file().getBlocksCount(), c.replication()))
            .toList(),
        skipped,
        deleted,
        before,
        StripeMap.of(session.nameNode(), after).storedBytes(after),
        watch.seconds());
  }

  private void unpin(String path, List<Converted> work) throws IOException {
    Set<Long> inodes = new HashSet<>();
    work.forEach(c -> inodes.add(c.file().getInode()));
    List<BlockStatusProto> blocks =
        session.nameNode().files(path).stream()
            .filter(file -> inodes.contains(file.getInode()))
            .flatMap(file -> file.getBlocksList().stream())
            .toList();
    new Pins(session.workers()).unpin(session.sight().now(), blocks);
  }

  /** The replication a file had before conversion; 0 when no block of it is in a stripe. */
  private static int replicationOf(FileProto file, StripeMap stripes) {
    int replication = 0;
    for (BlockStatusProto block : file.getBlocksList()) {
      StripeStatusProto status = stripes.of(block);
      if (status == null) {
        continue;
      }
      for (MemberProto member : status.getStripe().getMembersList()) {
        if (member.hasBlock() && member.getBlock().getId() == block.getBlock().getId()) {
          replication = Math.max(replication, Math.max(1, member.getReplication()));
        }
      }
    }
    return replication;
  }

  private boolean readable(FileProto file, ClusterState state) {
    int lost = 0;
    for (BlockStatusProto block : file.getBlocksList()) {
      if (state.readable(block).length == 0) {
        lost++;
      }
    }
    if (lost > 0) {
      skipped.add(
          new Skipped(
              file.getPath(),
              "BLOCKS_LOST",
              lost
                  + " of its "
                  + file.getBlocksCount()
                  + " blocks have no readable copy: run braid repair first"));
    }
    return lost == 0;
  }

  /** Waits until every block has all its replicas. */
  private void await(String path, List<Converted> work) throws IOException {
    Map<Long, Integer> wanted = new HashMap<>();
    work.forEach(c -> wanted.put(c.file().getInode(), c.replication()));
    long total = 0;
    for (Converted one : work) {
      total += (long) one.replication() * one.file().getBlocksCount();
    }
    long best = -1;
    long since = System.nanoTime();
    while (true) {
      long have = 0;
      Set<String> open = new TreeSet<>();
      for (FileProto file : session.nameNode().files(path)) {
        Integer replication = wanted.get(file.getInode());
        for (BlockStatusProto block : file.getBlocksList()) {
          if (replication == null) {
            break;
          }
          long live = block.getReplicasList().stream().filter(r -> r.getLive()).count();
          have += Math.min(live, replication);
          if (live < replication) {
            open.add(file.getPath());
          }
        }
      }
      progress.at("replicating", Math.min(have, total), total);
      if (open.isEmpty()) {
        return;
      }
      if (have > best) {
        best = have;
        since = System.nanoTime();
      } else if ((System.nanoTime() - since) / 1_000_000 > STALL_MILLIS) {
        throw new IOException(
            have
                + " of "
                + total
                + " replicas exist and none was added for "
                + STALL_MILLIS / 1000
                + " s; parity stays, the files are safe: "
                + open.iterator().next()
                + " and "
                + (open.size() - 1)
                + " more wait for replicas; run braid restore again");
      }
      Waiting.pause(100);
    }
  }
}
