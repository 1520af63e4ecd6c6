package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.namenode.StripeReader.Held;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which of several replicas of a block stays when one is wanted: for blocks of stripes the
 * one that a worker has just read with the CRC of the stripe, at home if possible; for all other
 * blocks whatever HDFS's own policy says. Until then the placement policy lets none be deleted.
 */
final class ReplicaGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaGuard.class);
  private static final long SCAN_MILLIS = 10_000;
  private static final long PAUSE_MILLIS = 200;
  private static final long FIRST_BACKOFF_MILLIS = 1000;
  private static final long LAST_BACKOFF_MILLIS = 60_000;
  private static final int CHUNK = 500;

  /** When a block that could not be decided is looked at again. */
  private record Retry(long at, long backoff) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Runnable housekeeping;
  private final ReplicaVerifier verifier;
  private final Thread thread;
  private final Set<DatanodeStorageInfo> vetoed = ConcurrentHashMap.newKeySet();
  private final Map<Long, Retry> retries = new HashMap<>();
  private final Semaphore signal = new Semaphore(0);
  private volatile boolean closed;
  private long nextScan;

  /**
   * A guard that is not started.
   *
   * @param housekeeping what else is to be done about once a second
   */
  ReplicaGuard(NameNodeHost host, StripeIndex index, Runnable housekeeping) {
    this.host = host;
    this.index = index;
    this.housekeeping = housekeeping;
    this.verifier = new ReplicaVerifier(host);
    this.thread = new Thread(this::run, "braid-replica-guard");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Stops the thread and waits for it. */
  void close() {
    closed = true;
    thread.interrupt();
    verifier.close();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tells that the policy let surplus replicas live. Called under the namesystem's lock.
   *
   * @param storage one of those that hold a replica
   */
  void vetoed(DatanodeStorageInfo storage) {
    vetoed.add(storage);
    signal.release();
  }

  private void run() {
    while (!closed) {
      try {
        await();
        housekeeping.run();
        if (host.decides()) {
          round();
        } else {
          vetoed.clear();
          retries.clear();
          nextScan = 0;
        }
      } catch (InterruptedException e) {
        return;
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          LOG.warn("guarding of replicas failed, it goes on: {}", e.getMessage(), e);
        }
      }
    }
  }

  private void await() throws InterruptedException {
    boolean signalled = signal.tryAcquire(SCAN_MILLIS / 10, TimeUnit.MILLISECONDS);
    // Vetoes come in swarms, as when a node returns: look at their storages once, not for each.
    if (signalled) {
      Thread.sleep(PAUSE_MILLIS);
      signal.drainPermits();
    }
  }

  private void round() throws IOException {
    index.ensure();
    long now = Time.monotonicNow();
    Set<Long> suspects = new LinkedHashSet<>();
    for (Iterator<DatanodeStorageInfo> i = vetoed.iterator(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      i.remove();
      suspects.addAll(host.reading("braidGuard", () -> surplusOn(storage)));
    }
    if (now >= nextScan) {
      suspects.addAll(scan());
      retries.keySet().removeIf(id -> !suspects.contains(id));
      nextScan = Time.monotonicNow() + Math.max(SCAN_MILLIS, 20 * (Time.monotonicNow() - now));
    }
    retries.forEach(
        (id, retry) -> {
          if (retry.at <= now) {
            suspects.add(id);
          }
        });
    boolean fresh = false;
    for (long id : suspects) {
      Retry retry = retries.get(id);
      if (retry != null && retry.at > now) {
        continue;
      }
      if (index.known(id).isEmpty() && !fresh) {
        index.refresh(); // only what is surely no block of a stripe is left to HDFS
        fresh = true;
      }
      Optional<Entry> entry = index.known(id);
      if (entry.isEmpty()) {
        leaveToStock(id);
      } else if (decide(entry.get(), id)) {
        retries.remove(id);
      } else {
        long backoff =
            retry == null ? FIRST_BACKOFF_MILLIS : Math.min(LAST_BACKOFF_MILLIS, 2 * retry.backoff);
        retries.put(id, new Retry(Time.monotonicNow() + backoff, backoff));
      }
    }
  }

  /** Blocks on a storage that aim at one replica and have more. The lock is held. */
  private List<Long> surplusOn(DatanodeStorageInfo storage) {
    List<Long> surplus = new ArrayList<>();
    for (Iterator<BlockInfo> i = HadoopInternals.blocks(storage); i.hasNext(); ) {
      BlockInfo block = i.next();
      if (!block.isStriped() && block.getReplication() == 1 && block.numNodes() > 1) {
        surplus.add(block.getBlockId());
      }
    }
    return surplus;
  }

  /** Blocks of stripes that have surplus replicas or one that is not at home. */
  private Set<Long> scan() throws IOException {
    Set<Long> found = new HashSet<>();
    List<Entry> entries = List.copyOf(index.known());
    for (int from = 0; from < entries.size(); from += CHUNK) {
      List<Entry> chunk = entries.subList(from, Math.min(entries.size(), from + CHUNK));
      host.reading(
          "braidGuard",
          () -> {
            for (Entry entry : chunk) {
              for (MemberProto member : entry.stripe().getMembersList()) {
                if (member.hasBlock() && displaced(member)) {
                  found.add(member.getBlock().getId());
                }
              }
            }
            return found;
          });
    }
    return found;
  }

  private boolean displaced(MemberProto member) {
    Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), member.getBlock().getId());
    if (stored.isEmpty() || stored.get().getReplication() != 1) {
      return false;
    }
    List<ReplicaView> good =
        ReplicaView.of(host.blocks(), stored.get()).stream().filter(ReplicaView::good).toList();
    return good.size() > 1 || (good.size() == 1 && !good.get(0).uuid().equals(member.getHome()));
  }

  private void leaveToStock(long id) throws IOException {
    host.writing(
        "braidGuard",
        () -> {
          Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
          if (block.isPresent()
              && block.get().getReplication() == 1
              && host.blocks().countNodes(block.get()).liveReplicas() > 1) {
            DeletionPlan.stock(host.blocks(), block.get());
          }
          return true;
        });
  }

  /** A replica that may be asked for. */
  private record Candidate(String uuid, String ip, int port, boolean reliable) {}

  /**
   * Decides on one block of a stripe.
   *
   * @return whether it is settled
   */
  private boolean decide(Entry entry, long id) throws IOException {
    int member = entry.memberOf(id);
    MemberProto recorded = entry.stripe().getMembers(member);
    List<Candidate> candidates = host.reading("braidGuard", () -> candidates(recorded));
    if (candidates.isEmpty()) {
      return true; // gone, raised again, or lost: not for the guard
    }
    boolean home = candidates.get(0).uuid.equals(recorded.getHome());
    if (home && candidates.size() == 1) {
      return true;
    }
    if (home && !candidates.get(0).reliable) {
      // Silent but not dead: the others stay until the NameNode knows more.
      return false;
    }
    for (Candidate candidate : candidates) {
      if (candidate.reliable && verified(entry, member, candidate)) {
        return candidate.uuid.equals(recorded.getHome())
            ? keep(entry, member, candidate.uuid)
            : StripeWriter.move(host, index, entry, member, candidate.uuid)
                && keep(index.published(entry.id()).orElse(entry), member, candidate.uuid);
      }
    }
    LOG.warn(
        "blk_{} of stripe {}: none of {} replicas could be verified, all stay",
        id,
        entry.id(),
        candidates.size());
    return false;
  }

  /** Good replicas of a block that aims at one: the one at home first, then the least silent. */
  private List<Candidate> candidates(MemberProto recorded) throws IOException {
    Optional<Held> held = StripeReader.held(host, recorded);
    if (held.isEmpty() || held.get().block().getReplication() != 1) {
      return List.of();
    }
    return ReplicaView.of(host.blocks(), held.get().block()).stream()
        .filter(ReplicaView::good)
        .sorted(
            Comparator.comparing((ReplicaView r) -> !r.uuid().equals(recorded.getHome()))
                .thenComparing(ReplicaView::silence))
        .map(
            r -> {
              DatanodeDescriptor node = r.node();
              return new Candidate(
                  r.uuid(), node.getIpAddr(), node.getIpcPort(), !r.suspect(host) && !r.stale());
            })
        .toList();
  }

  private boolean verified(Entry entry, int member, Candidate candidate) {
    MemberProto recorded = entry.stripe().getMembers(member);
    try {
      int crc = verifier.crc(candidate.ip, candidate.port, recorded.getBlock());
      if (crc == recorded.getCrc32C()) {
        return true;
      }
      LOG.warn(
          "blk_{} of stripe {} on {}: CRC-32C is {}, recorded is {}",
          recorded.getBlock().getId(),
          entry.id(),
          candidate.uuid,
          Integer.toHexString(crc),
          Integer.toHexString(recorded.getCrc32C()));
    } catch (IOException e) {
      LOG.warn(
          "blk_{} of stripe {} on {} could not be verified: {}",
          recorded.getBlock().getId(),
          entry.id(),
          candidate.uuid,
          e.getMessage());
    }
    return false;
  }

  /** Drops all but a replica that was just verified, if everything still is as it was. */
  private boolean keep(Entry entry, int member, String uuid) throws IOException {
    return host.writing(
        "braidGuard",
        () -> {
          Optional<Entry> present = index.publishedUnderLock(entry.id());
          if (present.isEmpty() || member >= present.get().stripe().getMembersCount()) {
            return false;
          }
          MemberProto recorded = present.get().stripe().getMembers(member);
          if (!recorded.getHome().equals(uuid)) {
            return false;
          }
          Optional<Held> held = StripeReader.held(host, recorded);
          if (held.isEmpty() || held.get().block().getReplication() != 1) {
            return false;
          }
          List<ReplicaView> replicas = ReplicaView.of(host.blocks(), held.get().block());
          Optional<ReplicaView> kept = ReplicaView.on(replicas, uuid);
          if (kept.isEmpty()
              || !kept.get().good()
              || kept.get().stale()
              || kept.get().suspect(host)) {
            return false;
          }
          BlockInfo block = held.get().block();
          DeletionPlan.keepOnly(host.blocks(), block, kept.get().storage());
          int left = host.blocks().countNodes(block).liveReplicas();
          LOG.info(
              "blk_{} of stripe {}: {} of {} replicas stay, verified on {}",
              block.getBlockId(),
              entry.id(),
              left,
              replicas.size(),
              kept.get().node().getHostName());
          return left == 1;
        });
  }
}
