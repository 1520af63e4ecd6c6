package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
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
  private static final int BATCH = 32;

  /** When a block that could not be decided is looked at again. */
  private record Retry(long at, long backoff) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final StripeNeighbours neighbours;
  private final Runnable housekeeping;
  private final ReplicaVerifier verifier;
  private final Thread thread;
  private final Set<DatanodeStorageInfo> vetoed = ConcurrentHashMap.newKeySet();
  private final Set<Long> moved = ConcurrentHashMap.newKeySet();
  private final Map<Long, Retry> retries = new HashMap<>();
  private final Set<Long> backlog = new LinkedHashSet<>();
  private final ExecutorService deciders =
      Executors.newFixedThreadPool(
          4,
          task -> {
            Thread decider = new Thread(task, "braid-replica-decider");
            decider.setDaemon(true);
            return decider;
          });
  private final Semaphore signal = new Semaphore(0);
  private final long started = Time.monotonicNow();
  private volatile boolean closed;
  private long nextScan;

  /**
   * A guard that is not started.
   *
   * @param housekeeping what else is to be done about once a second
   */
  ReplicaGuard(
      NameNodeHost host, StripeIndex index, StripeNeighbours neighbours, Runnable housekeeping) {
    this.host = host;
    this.index = index;
    this.neighbours = neighbours;
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
    deciders.shutdownNow();
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

  /** Tells that a block of a stripe was moved, so that its home is another now. */
  void moved(long blockId) {
    moved.add(blockId);
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
          moved.clear();
          backlog.clear();
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

  private void round() throws IOException, InterruptedException {
    index.ensure();
    long now = Time.monotonicNow();
    for (Iterator<DatanodeStorageInfo> i = vetoed.iterator(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      i.remove();
      backlog.addAll(host.reading("braidGuard", () -> surplusOn(storage)));
    }
    backlog.addAll(moved);
    moved.removeAll(backlog);
    if (now >= nextScan) {
      Set<Long> found = scan();
      retries.keySet().retainAll(found);
      backlog.addAll(found);
      nextScan = Time.monotonicNow() + Math.max(SCAN_MILLIS, 20 * (Time.monotonicNow() - now));
    }
    retries.forEach(
        (id, retry) -> {
          if (retry.at <= now) {
            backlog.add(id);
          }
        });
    backlog.removeIf(
        id -> {
          Retry retry = retries.get(id);
          return retry != null && retry.at > now;
        });
    leaveOthersToStock();
    decideSome();
    if (!backlog.isEmpty()) {
      signal.release();
    }
  }

  /** Only what is surely no block of a stripe is left to HDFS. */
  private void leaveOthersToStock() throws IOException {
    if (backlog.stream().allMatch(id -> index.known(id).isPresent())) {
      return;
    }
    index.refresh();
    for (Iterator<Long> i = backlog.iterator(); i.hasNext(); ) {
      long id = i.next();
      if (index.known(id).isEmpty()) {
        i.remove();
        leaveToStock(id);
      }
    }
  }

  /** Decides on the next blocks of stripes, a few at a time, as each makes a worker read one. */
  private void decideSome() throws IOException, InterruptedException {
    List<Long> ids = new ArrayList<>();
    List<Callable<Boolean>> decisions = new ArrayList<>();
    for (Iterator<Long> i = backlog.iterator(); i.hasNext() && ids.size() < BATCH; ) {
      long id = i.next();
      i.remove();
      Optional<Entry> entry = index.known(id);
      if (entry.isPresent()) {
        ids.add(id);
        decisions.add(() -> decide(entry.get(), id));
      }
    }
    List<Future<Boolean>> done = deciders.invokeAll(decisions);
    for (int i = 0; i < done.size(); i++) {
      try {
        if (done.get(i).get()) {
          retries.remove(ids.get(i));
          continue;
        }
      } catch (ExecutionException e) {
        LOG.warn("blk_{} is not decided: {}", ids.get(i), String.valueOf(e.getCause()));
      }
      Retry before = retries.get(ids.get(i));
      long backoff =
          before == null ? FIRST_BACKOFF_MILLIS : Math.min(LAST_BACKOFF_MILLIS, 2 * before.backoff);
      retries.put(ids.get(i), new Retry(Time.monotonicNow() + backoff, backoff));
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

  /** Blocks of stripes that have surplus or corrupt replicas, or one that is not at home. */
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
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), stored.get());
    List<ReplicaView> good = replicas.stream().filter(ReplicaView::good).toList();
    if (good.size() == 1 && replicas.stream().anyMatch(ReplicaView::corrupt)) {
      return true;
    }
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
  private record Candidate(String uuid, String ip, int port, boolean reliable, boolean fits) {}

  /**
   * Decides on one block of a stripe.
   *
   * @return whether it is settled
   */
  private boolean decide(Entry entry, long id) throws IOException {
    int member = entry.memberOf(id);
    MemberProto recorded = entry.stripe().getMembers(member);
    List<Candidate> candidates = host.reading("braidGuard", () -> candidates(entry, member));
    if (candidates.isEmpty()) {
      return true; // gone, raised again, or lost: not for the guard
    }
    boolean home = candidates.get(0).uuid.equals(recorded.getHome());
    if (home
        && candidates.size() == 1
        && !host.reading("braidGuard", () -> corruptBeside(recorded))) {
      return true;
    }
    if (!home && !host.reading("braidGuard", () -> absent(recorded.getHome()))) {
      // Its node has yet to register or to report, as after a restart of the NameNode.
      return false;
    }
    if (home && !candidates.get(0).reliable) {
      // Silent but not dead: the others stay until the NameNode knows more.
      return false;
    }
    for (Candidate candidate : candidates) {
      if (!candidate.fits) {
        continue; // a relocation is due, or under way: the home is right, the replica is not
      }
      if (candidate.reliable && verified(entry, member, candidate)) {
        pin(candidate, recorded);
        return candidate.uuid.equals(recorded.getHome())
            ? keep(entry, member, candidate.uuid)
            : StripeWriter.move(host, index, entry, member, candidate.uuid)
                && keep(index.published(entry.id()).orElse(entry), member, candidate.uuid);
      }
    }
    LOG.warn(
        "blk_{} of stripe {}: none of {} replicas is verified and in a place for it, all stay",
        id,
        entry.id(),
        candidates.size());
    return false;
  }

  /**
   * Whether a home is known not to hold its block: its node is dead, or has reported all its
   * blocks, or has not come back for as long as HDFS takes to call a node dead.
   */
  private boolean absent(String uuid) {
    DatanodeDescriptor node = host.nodes().getDatanode(uuid);
    if (node == null) {
      return Time.monotonicNow() - started > expiryMillis(host.conf());
    }
    return !node.isAlive()
        || Arrays.stream(node.getStorageInfos())
            .noneMatch(DatanodeStorageInfo::areBlockContentsStale);
  }

  private static long expiryMillis(Configuration conf) {
    long recheck =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT,
            TimeUnit.MILLISECONDS);
    long heartbeat =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return 2 * recheck + 10 * heartbeat;
  }

  private boolean corruptBeside(MemberProto recorded) throws IOException {
    Optional<Held> held = StripeReader.held(host, recorded);
    return held.isPresent()
        && ReplicaView.of(host.blocks(), held.get().block()).stream()
            .anyMatch(ReplicaView::corrupt);
  }

  /** Good replicas of a block that aims at one: the one at home first, then the least silent. */
  private List<Candidate> candidates(Entry entry, int member) throws IOException {
    MemberProto recorded = entry.stripe().getMembers(member);
    Optional<Held> held = StripeReader.held(host, recorded);
    if (held.isEmpty()
        || held.get().block().getReplication() != 1
        || !held.get().block().isComplete()) {
      return List.of(); // one that is written to is another block soon
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
                  r.uuid(),
                  node.getIpAddr(),
                  node.getIpcPort(),
                  !r.suspect(host) && !r.stale(),
                  r.uuid().equals(recorded.getHome())
                      || neighbours.fits(entry, recorded.getBlock().getId(), node));
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

  /** What a mover wanted elsewhere it would want again. */
  private void pin(Candidate candidate, MemberProto recorded) {
    try {
      verifier.pin(candidate.ip, candidate.port, recorded.getBlock());
    } catch (IOException e) {
      LOG.info(
          "blk_{} on {} is not pinned: {}",
          recorded.getBlock().getId(),
          candidate.uuid,
          e.getMessage());
    }
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
          DeletionPlan.keepOnly(host, block, kept.get().storage());
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
