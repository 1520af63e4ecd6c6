package org.braid.hdfs.namenode.stripes;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NodeExpiry;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Action;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Candidate;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Choice;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.time.Passes;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which replica of a block stays when only one is wanted. For a block of a stripe, it is a
 * replica that a worker has just read with the recorded CRC, at home if possible. For other blocks
 * HDFS's own policy decides. Until the decision, the placement policy deletes no replica.
 */
public final class ReplicaGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaGuard.class);
  private static final long SCAN_MILLIS = 10_000;

  /** All stripes are looked at in steps of so long. */
  private static final long STEP_MILLIS = 50;

  /** Looking at all stripes takes at most this part of the time. */
  private static final int SCAN_SHARE = 20;

  /** The same until all have been looked at once. */
  private static final int FIRST_SHARE = 4;

  private static final long PAUSE_MILLIS = 200;
  private static final int BATCH = 32;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final StripeNeighbours neighbours;
  private final Function<String, Trimmer.Fence> drops;
  private final ReplicaVerifier verifier;
  private final Thread thread;
  private final Set<Long> vetoed = ConcurrentHashMap.newKeySet();

  /** Where movers have copied blocks to, in places that keep the stripe's rule. */
  private final Map<Long, String> moved = new ConcurrentHashMap<>();

  private final DecisionQueue queue = new DecisionQueue();

  private final ExecutorService deciders =
      Executors.newFixedThreadPool(4, DaemonThreads.named("braid-replica-decider"));

  private final Semaphore signal = new Semaphore(0);
  private final long started = Time.monotonicNow();
  private final Passes passes = new Passes(SCAN_MILLIS, STEP_MILLIS, FIRST_SHARE, SCAN_SHARE);
  private volatile boolean closed;

  /** The stripe that was looked at last in the present pass; empty when none is under way. */
  private String reached = "";

  /**
   * A guard that is not started.
   *
   * @param drops the fence to hold and check while replicas of a stripe's blocks are dropped, by
   *     the stripe's id: checks of removals of its other blocks counted these replicas
   */
  public ReplicaGuard(
      NameNodeHost host,
      StripeIndex index,
      StripeNeighbours neighbours,
      Function<String, Trimmer.Fence> drops) {
    this.host = host;
    this.index = index;
    this.neighbours = neighbours;
    this.drops = drops;
    this.verifier = new ReplicaVerifier(host);
    this.thread = DaemonThreads.of("braid-replica-guard", this::run);
  }

  public void start() {
    thread.start();
  }

  /** Stops the thread and waits for it. */
  public void close() {
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
   * Notes that the policy kept surplus replicas. Called under the namesystem's lock.
   *
   * @param inode the block's file
   */
  public void vetoed(long inode) {
    vetoed.add(inode);
    signal.release();
  }

  /** Notes that a block of a stripe was copied to a node that may become its home. */
  public void moved(long blockId, String uuid) {
    moved.put(blockId, uuid);
    signal.release();
  }

  private void run() {
    try {
      while (!closed) {
        Turn.take(this::turn, this::failed);
      }
    } catch (InterruptedException e) {
      LOG.debug("replicas are not guarded any more");
    }
  }

  private void turn() throws IOException, InterruptedException {
    await();
    if (host.decides()) {
      round();
    } else {
      vetoed.clear();
      moved.clear();
      queue.clear();
      passes.clear();
      reached = "";
    }
  }

  private void failed(Exception e) {
    if (!closed) {
      LOG.warn("guarding of replicas failed, it goes on: {}", e.getMessage(), e);
    }
  }

  /** Blocks that have, or recently had, surplus replicas or one that is not at home. */
  public Set<Long> displaced() {
    return queue.lately();
  }

  private void await() throws InterruptedException {
    boolean signalled = signal.tryAcquire(SCAN_MILLIS / 10, TimeUnit.MILLISECONDS);
    // Vetoes come in swarms, as when a node returns: look at a file once, not for each block.
    if (signalled) {
      Thread.sleep(PAUSE_MILLIS);
      signal.drainPermits();
    }
  }

  private void round() throws IOException, InterruptedException {
    index.ensure();
    long now = Time.monotonicNow();
    for (Iterator<Long> i = vetoed.iterator(); i.hasNext(); ) {
      long inode = i.next();
      i.remove();
      queue.offer(surplusOf(inode));
    }
    queue.offer(moved.keySet());
    if (passes.isDue(Time.monotonicNow())) {
      scan();
    }
    queue.advance(now);
    leaveOthersToStock();
    decideSome();
    if (!queue.isEmpty()) {
      signal.release();
    }
  }

  /** Only what is surely no block of a stripe is left to HDFS. */
  private void leaveOthersToStock() throws IOException {
    for (long id : queue.take(Integer.MAX_VALUE, id -> !index.concerns(id))) {
      moved.remove(id);
      leaveToStock(id);
    }
  }

  /** Decides on the next blocks of stripes, a few at a time, as each makes a worker read one. */
  private void decideSome() throws IOException, InterruptedException {
    List<Long> ids = queue.take(BATCH, id -> true);
    List<Callable<Boolean>> decisions = new ArrayList<>();
    for (long id : ids) {
      Optional<Entry> entry = index.known(id);
      decisions.add(() -> entry.isPresent() && decide(entry.get(), id));
    }
    List<Future<Boolean>> done = deciders.invokeAll(decisions);
    for (int i = 0; i < done.size(); i++) {
      try {
        if (done.get(i).get()) {
          queue.settled(ids.get(i));
          moved.remove(ids.get(i));
          continue;
        }
      } catch (ExecutionException e) {
        LOG.warn("blk_{} is not decided: {}", ids.get(i), String.valueOf(e.getCause()));
      }
      queue.undecided(ids.get(i), Time.monotonicNow());
    }
  }

  /**
   * Blocks of a file that aim at one replica and have more, looked at in short holds of the lock.
   * One that gets another copy meanwhile is vetoed again.
   */
  private List<Long> surplusOf(long inode) throws IOException {
    List<BlockInfo[]> lists =
        host.readingFiles(
            "braidGuard",
            () -> ForeignFiles.lists(host.namesystem().getFSDirectory().getInode(inode)));
    List<Long> surplus = new ArrayList<>();
    for (BlockInfo[] blocks : lists) {
      host.readingEachBlock(
          "braidGuard",
          Arrays.asList(blocks),
          known ->
              ReplicaView.stored(host.blocks(), known.getBlockId())
                  .filter(block -> block.getReplication() == 1 && block.numNodes() > 1)
                  .ifPresent(block -> surplus.add(block.getBlockId())));
    }
    return surplus;
  }

  /**
   * Offers blocks of stripes that have surplus or corrupt replicas, or one that is not at home, of
   * some more stripes.
   */
  private void scan() throws IOException {
    long begun = Time.monotonicNow();
    if (reached.isEmpty()) {
      queue.offer(index.forgetFailed());
      index.catchUp();
    }
    Map<Long, Set<String>> found = new HashMap<>();
    boolean[] more = new boolean[1];
    index.visit(
        "braidGuard",
        reached,
        entry -> {
          for (Member member : entry.stripe().members()) {
            if (!member.isVirtual()) {
              displaced(member).ifPresent(good -> found.put(member.block().id(), good));
            }
          }
          reached = entry.id();
          more[0] = Time.monotonicNow() - begun >= STEP_MILLIS;
          return !more[0];
        });
    queue.offer(found);
    if (!more[0]) {
      queue.passed();
      moved.keySet().removeIf(id -> index.known(id).isEmpty());
      reached = "";
    }
    passes.stepped(begun, Time.monotonicNow(), !more[0]);
  }

  /** The storages of a block's good replicas, unless all it has is one at home. */
  private Optional<Set<String>> displaced(Member member) {
    Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), member.block().id());
    if (stored.isEmpty()
        || stored.get().getReplication() != 1
        || ReplicaView.isOnlyAt(host.blocks(), stored.get(), member.home())) {
      return Optional.empty();
    }
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), stored.get());
    List<ReplicaView> good = replicas.stream().filter(ReplicaView::good).toList();
    boolean atHome = good.size() == 1 && good.get(0).uuid().equals(member.home());
    return good.isEmpty() || (atHome && replicas.stream().noneMatch(ReplicaView::corrupt))
        ? Optional.empty()
        : Optional.of(
            good.stream()
                .map(replica -> replica.uuid() + " " + replica.storage().getStorageID())
                .collect(Collectors.toSet()));
  }

  /**
   * Leaves a block that is in no stripe to HDFS: it drops what is more than the file wants. A block
   * that was trimmed aims at one replica in the memory of that NameNode, whatever the other one did
   * since with its file and stripe: it aims at what its file wants again.
   */
  private void leaveToStock(long id) throws IOException {
    host.changing(
        "braidGuard",
        () -> {
          Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
          if (block.isPresent()
              && block.get().getReplication() == 1
              && !index.isStaged(id)
              && !index.hasUnknownBlocks()
              && index.holding(block.get()).isEmpty()) {
            DeletionPlan.stock(host, block.get());
          }
          return true;
        });
  }

  /**
   * Decides on one block of a stripe.
   *
   * @return whether it is settled
   */
  private boolean decide(Entry entry, long id) throws IOException {
    int member = entry.stripe().positionOf(id).orElseThrow();
    Member recorded = entry.stripe().member(member);
    if (index.isStaged(id)) {
      return false;
    }
    if (host.readingBlocks("braidGuard", () -> isChanged(recorded))) {
      leaveToStock(id);
      return true;
    }
    Choice choice = ReplicaChoice.of(host.reading("braidGuard", () -> block(entry, recorded)));
    if (choice.action() != Action.VERIFY) {
      return choice.action() == Action.NONE;
    }
    Optional<StripeReader.Sources> others =
        StripeReader.Sources.of(host, "braidGuard", entry, member);
    if (others.isEmpty()) {
      return false; // all copies stay until others are repaired
    }
    for (Candidate candidate : choice.replicas()) {
      if (verifier.isAsRecorded(entry.id(), recorded, candidate)) {
        pin(candidate, recorded);
        return candidate.uuid().equals(recorded.home())
            ? keep(entry, member, candidate.uuid(), others.get())
            : StripeDescriptions.move(host, index, entry, member, candidate.uuid())
                && keep(
                    index.published(entry.id()).orElse(entry),
                    member,
                    candidate.uuid(),
                    others.get());
      }
    }
    LOG.warn(
        "blk_{} of stripe {}: none of its replicas is verified and in a place for it, all stay",
        id,
        entry.id());
    return false;
  }

  /** Whether a block is not the one any more that was encoded. The lock is held. */
  private boolean isChanged(Member recorded) {
    return ReplicaView.stored(host.blocks(), recorded.block().id())
        .filter(block -> !ReplicaView.same(block, recorded.block()))
        .isPresent();
  }

  /** What is known of a member. The lock is held. */
  private ReplicaChoice.Block block(Entry entry, Member recorded) throws IOException {
    Optional<Held> held = StripeReader.held(host, recorded);
    // What is left of a stripe that lost data is to be replicated, or encoded anew.
    if (held.isEmpty()
        || held.get().block().getReplication() != 1
        || !held.get().block().isComplete()
        || StripeReader.lostData(host, entry)) {
      return ReplicaChoice.Block.nothing(recorded.home());
    }
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), held.get().block());
    return new ReplicaChoice.Block(
        recorded.home(),
        moved.get(recorded.block().id()),
        absent(recorded.home()),
        replicas.stream().anyMatch(ReplicaView::corrupt),
        replicas.stream()
            .filter(ReplicaView::good)
            .map(replica -> candidate(entry, recorded, replica))
            .toList());
  }

  private Candidate candidate(Entry entry, Member recorded, ReplicaView replica) {
    DatanodeDescriptor node = replica.node();
    return new Candidate(
        replica.uuid(),
        node.getIpAddr(),
        node.getIpcPort(),
        replica.silence(),
        !replica.suspect(host) && !replica.stale(),
        replica.uuid().equals(recorded.home())
            || neighbours.fits(entry, recorded.block().id(), node));
  }

  private boolean absent(String uuid) {
    DatanodeDescriptor node = host.nodes().getDatanode(uuid);
    return ReplicaChoice.isAbsent(
        node == null
            ? null
            : new ReplicaChoice.Node(
                node.isAlive(),
                Arrays.stream(node.getStorageInfos())
                    .noneMatch(DatanodeStorageInfo::areBlockContentsStale)),
        Time.monotonicNow() - started,
        NodeExpiry.millis(host.conf()));
  }

  /** What a mover wanted elsewhere it would want again. */
  private void pin(Candidate candidate, Member recorded) {
    try {
      verifier.pin(candidate.ip(), candidate.port(), recorded.block());
    } catch (IOException e) {
      LOG.info(
          "blk_{} on {} is not pinned: {}",
          recorded.block().id(),
          candidate.uuid(),
          e.getMessage());
    }
  }

  /**
   * Drops all but a replica that was just verified, if everything still is as it was.
   *
   * @param others what it can be rebuilt from
   * @return whether it is the only one
   */
  private boolean keep(Entry entry, int member, String uuid, StripeReader.Sources others)
      throws IOException {
    Trimmer.Fence fence = drops.apply(entry.id());
    try (Closeable ignored = fence.begin()) {
      return host.changing(
          "braidGuard",
          () -> {
            fence.check();
            return keepUnderLock(entry, member, uuid, others);
          });
    } catch (RetriableException e) {
      LOG.info("blocks of stripe {} keep their replicas for now: {}", entry.id(), e.getMessage());
      return false;
    }
  }

  private boolean keepUnderLock(Entry entry, int member, String uuid, StripeReader.Sources others)
      throws IOException {
    Optional<Entry> present = index.publishedUnderLock(entry.id());
    if (present.isEmpty() || member >= present.get().stripe().members().size()) {
      return false;
    }
    Member recorded = present.get().stripe().member(member);
    if (!recorded.home().equals(uuid)) {
      return false;
    }
    Optional<Held> held = StripeReader.held(host, recorded);
    if (held.isEmpty()
        || held.get().block().getReplication() != 1
        || StripeReader.lostData(host, present.get())
        || !others.areThere(host, present.get())) {
      return false;
    }
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), held.get().block());
    Optional<ReplicaView> kept = ReplicaView.on(replicas, uuid);
    if (kept.isEmpty() || !kept.get().good() || kept.get().stale() || kept.get().suspect(host)) {
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
  }
}
