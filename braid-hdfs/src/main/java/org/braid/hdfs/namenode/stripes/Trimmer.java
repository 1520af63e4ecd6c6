package org.braid.hdfs.namenode.stripes;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.stripes.StripeReader.Judged;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.stripe.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the surplus replicas of a stripe's blocks, so that each block keeps only the replica at its
 * home. Changes the NameNode's memory only: at the end the coordinator persists that the file has
 * replication 1.
 */
public final class Trimmer {
  /** A check before each block that the caller's lease is still valid. */
  @FunctionalInterface
  public interface Fence {
    /** Refuses a caller that must stop. The lock is held. */
    void check() throws IOException;

    /** Begins a block, without the lock; closed when the block is trimmed or refused. */
    default Closeable begin() throws IOException {
      return () -> {};
    }
  }

  /**
   * The blocks to trim.
   *
   * @param onlySurplus whether to trim only blocks that aim at one replica already
   * @param files files whose blocks are trimmed although they aim at several replicas; blocks of
   *     other files, restored by users or not converted yet, keep their replicas
   */
  public record Blocks(boolean onlySurplus, Set<Long> files) {
    public Blocks {
      files = Set.copyOf(files);
    }

    boolean keep(Held held) {
      return held.block().getReplication() > 1
          && (onlySurplus
              || (held.file().getFileReplication() > 1 && !files.contains(held.file().getId())));
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Trimmer.class);
  private final NameNodeHost host;
  private final StripeIndex index;
  private final OpenWrites writes;
  private final StripeCheck check;

  public Trimmer(NameNodeHost host, StripeIndex index, OpenWrites writes) {
    this.host = host;
    this.index = index;
    this.writes = writes;
    this.check = new StripeCheck(host, writes);
  }

  /**
   * Trims the blocks of a published stripe. Checks the whole stripe again before each block, so
   * that a trim that was refused or fenced off half-way can be repeated.
   *
   * <p>Requests the block reports that storages owe since a failover; a refusal that contains STALE
   * means that a report is still missing.
   *
   * @return the reasons against it; empty when each of these blocks has one replica
   */
  public List<String> trim(String id, Blocks blocks, Fence fence) throws IOException {
    Optional<Entry> published = index.published(id);
    if (published.isEmpty()) {
      return List.of("stripe " + id + " is not published: no parity file describes it");
    }
    if (!host.blocks().isPopulatingReplQueues()) {
      return List.of("stripe " + id + ": the NameNode does not count replicas yet, repeat later");
    }
    Faults.reach(FaultStep.NAMENODE_TRIM, id);
    Set<DatanodeDescriptor> owing =
        host.reading("braidTrim", () -> staleNodes(host, published.get().stripe().members()));
    askForReports(host, owing, "trimming stripe " + id);
    boolean first = true;
    int members = published.get().stripe().members().size();
    for (int i = 0; i < members; i++) {
      if (published.get().stripe().isVirtual(i)) {
        continue;
      }
      if (!first) {
        Faults.reach(FaultStep.NAMENODE_TRIM_BLOCK, id + " " + i);
      }
      first = false;
      int member = i;
      List<String> refusals;
      try (Closeable ignored = fence.begin()) {
        refusals =
            host.changing(
                "braidTrim",
                () -> {
                  fence.check();
                  return trimBlock(id, member, blocks);
                });
      } catch (RetriableException e) {
        refusals = List.of("stripe " + id + ": " + e.getMessage());
      }
      if (!refusals.isEmpty()) {
        LOG.info("trim of stripe {} refused at member {}: {}", id, i, refusals);
        return refusals;
      }
    }
    index.trimmed(id);
    host.metrics().count(Count.STRIPES_TRIMMED);
    LOG.info("trimmed stripe {}: {} of {} members", id, blocks, members);
    return List.of();
  }

  /**
   * Whether a refused trim may succeed a little later. False while a snapshot holds a block at more
   * replicas, while a file is open for writing, while a {@code fsck} runs that may delete files,
   * and under another placement policy.
   */
  public boolean isRepeatable(String id) throws IOException {
    Optional<Entry> entry = index.published(id);
    return entry.isPresent()
        && DeletionPlan.against(host.blocks()).isEmpty()
        && !host.reading("braidTrim", () -> reachesFsck(entry.get()) || check.isHeld(entry.get()));
  }

  private boolean reachesFsck(Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent() && writes.againstDrops(held.get().file()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private List<String> trimBlock(String id, int member, Blocks blocks) throws IOException {
    Optional<Entry> entry = index.publishedUnderLock(id);
    if (entry.isEmpty()) {
      return List.of("stripe " + id + " is not published any more");
    }
    List<String> refusals = check.refusals(entry.get());
    if (!refusals.isEmpty()) {
      return refusals;
    }
    Member trimmed = entry.get().stripe().member(member);
    if (!index.holds(entry.get(), trimmed)) {
      return List.of(
          "stripe %s, member %d: blk_%d is in a later stripe, which says where its copy stays"
              .formatted(id, member, trimmed.block().id()));
    }
    Held held = StripeReader.held(host, trimmed).orElseThrow();
    BlockInfo block = held.block();
    if (blocks.keep(held)) {
      return List.of();
    }
    Optional<String> against = writes.againstDrops(held.file());
    if (against.isPresent()) {
      return List.of(held.file().getFullPathName() + ": " + against.get());
    }
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), block);
    ReplicaView home = ReplicaView.on(replicas, trimmed.home()).orElseThrow();
    if (block.getReplication() == 1
        && host.blocks().countNodes(block).liveReplicas() == 1
        && replicas.stream().noneMatch(ReplicaView::corrupt)) {
      return List.of();
    }
    DeletionPlan.keepOnly(host, block, home.storage());
    if (held.file().getPreferredBlockReplication() != 1) { // until it is persisted
      writes.lowered(held.file().getId());
    }
    int left = host.blocks().countNodes(block).liveReplicas();
    return left == 1
        ? List.of()
        : List.of(
            "stripe %s, member %d: blk_%d has %d live replicas after trimming, expected is 1"
                .formatted(id, member, block.getBlockId(), left));
  }

  /**
   * Sets the aim of blocks of published stripes back to one, after a write to their file raised it,
   * so that HDFS makes no more replicas. Drops none: another block or the removal of a file may
   * rely on a replica now, and the guard drops unneeded ones. Skips blocks of stripes that lost
   * some of their data. The write lock is held.
   */
  public void lower(List<Long> blocks) throws IOException {
    Judged<Boolean> stripes = whole();
    for (long id : blocks) {
      lower(id, stripes);
    }
  }

  /** Whether stripes are published and have all their data. */
  private Judged<Boolean> whole() {
    return new Judged<>(
        index,
        entry ->
            !StripeReader.lostData(host, entry)
                && index.publishedUnderLock(entry.id()).isPresent());
  }

  private void lower(long id, Judged<Boolean> stripes) throws IOException {
    Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
    Optional<Entry> entry = stripes.of(id);
    if (entry.isPresent()
        && block.flatMap(stripes::holding).isPresent()
        && stripes.judge(entry.get())) {
      DeletionPlan.lower(host, block.get());
      writes.lowered(block.get().getBlockCollectionId());
    }
  }

  /** The changes of files that are under way and that conversion respects. */
  public OpenWrites writes() {
    return writes;
  }

  /**
   * Lets a block of a published stripe keep one copy: that at its home, where it can be relied on
   * (it is good, and on a node that answers and has reported), or the only one that there is, from
   * where repair moves it; else it keeps all copies. The write lock is held.
   */
  private void keepOne(long id) throws IOException {
    Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
    Optional<Member> member = block.flatMap(index::holding);
    if (member.isEmpty() || !isDescribed(id)) {
      return;
    }
    List<ReplicaView> staying =
        ReplicaView.of(host.blocks(), block.get()).stream()
            .filter(replica -> !replica.excess())
            .toList();
    Optional<ReplicaView> home = ReplicaView.on(staying, member.get().home());
    if (home.isPresent() && home.get().good() && !home.get().stale() && !home.get().suspect(host)) {
      DeletionPlan.keepOnly(host, block.get(), home.get().storage());
    } else if (home.isEmpty() && staying.size() == 1) {
      DeletionPlan.keepOnly(host, block.get(), staying.get(0).storage());
    }
  }

  /**
   * Lets encoded blocks keep one replica again whose aims were raised for a removal of other blocks
   * of their stripes, which has ended. All replicas stay if a stripe lost other blocks to
   * deletions, if a block could not be rebuilt without its replicas, or if the files are to be
   * replicated.
   *
   * @param drops the fence to hold and check while replicas of a stripe's blocks are dropped, by
   *     the stripe's id
   * @return blocks that keep their replicas for now, because a concurrent change forbids drops
   */
  public Set<Long> keepOneAgain(Collection<Long> blocks, Function<String, Fence> drops)
      throws IOException {
    Map<String, Map<Long, StripeReader.Sources>> stripes = new LinkedHashMap<>();
    for (long id : blocks) {
      Optional<Entry> entry = index.known(id);
      OptionalInt position =
          entry.isEmpty() ? OptionalInt.empty() : entry.get().stripe().positionOf(id);
      if (position.isPresent()) {
        StripeReader.Sources.of(host, "braidTrim", entry.get(), position.getAsInt())
            .ifPresent(
                others ->
                    stripes
                        .computeIfAbsent(entry.get().id(), unused -> new LinkedHashMap<>())
                        .put(id, others));
      }
    }
    Set<Long> later = new LinkedHashSet<>();
    int kept = 0;
    for (Map.Entry<String, Map<Long, StripeReader.Sources>> stripe : stripes.entrySet()) {
      Fence fence = drops.apply(stripe.getKey());
      try (Closeable ignored = fence.begin()) {
        kept +=
            host.changing(
                "braidTrim",
                () -> {
                  fence.check();
                  return keepOneAgain(stripe.getValue(), later);
                });
      } catch (RetriableException e) {
        LOG.debug("stripe {}: {}", stripe.getKey(), e.getMessage());
        later.addAll(stripe.getValue().keySet());
      }
    }
    if (kept > 0 || later.isEmpty()) {
      LOG.info("{} of {} blocks that were given copies have one again", kept, blocks.size());
    }
    return later;
  }

  /** The same of blocks of a stripe, by what each can be rebuilt from. The write lock is held. */
  private int keepOneAgain(Map<Long, StripeReader.Sources> blocks, Set<Long> later)
      throws IOException {
    int kept = 0;
    for (Map.Entry<Long, StripeReader.Sources> block : blocks.entrySet()) {
      long id = block.getKey();
      Optional<Entry> entry = index.known(id);
      if (!whole(List.of(id)).isEmpty()
          && isInFileOfOneReplica(id)
          && entry.isPresent()
          && block.getValue().areThere(host, entry.get())) {
        if (isCut(id)) {
          later.add(id);
        } else {
          keepOne(id);
          kept++;
        }
      }
    }
    return kept;
  }

  private boolean isCut(long id) {
    return ReplicaView.stored(host.blocks(), id).filter(host.aims()::isCut).isPresent();
  }

  private boolean isInFileOfOneReplica(long id) {
    Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
    INodeFile file =
        block.isEmpty()
            ? null
            : host.namesystem().getBlockCollection(block.get().getBlockCollectionId());
    return file != null && file.getFileReplication() == 1;
  }

  /**
   * The blocks among {@code blocks} whose stripes have all their data. If a stripe lost data
   * blocks, the rest gets replicas and keeps them until it is encoded again. The lock is held.
   */
  public List<Long> whole(Collection<Long> blocks) throws IOException {
    List<Long> whole = new ArrayList<>();
    for (long id : blocks) {
      Optional<Entry> entry = index.known(id);
      if (entry.isPresent() && !StripeReader.lostData(host, entry.get())) {
        whole.add(id);
      }
    }
    return whole;
  }

  /** Whether the description of a block's stripe can be read now. */
  private boolean isDescribed(long block) throws IOException {
    Optional<Entry> known = index.known(block);
    return known.isPresent() && index.publishedUnderLock(known.get().id()).isPresent();
  }

  /**
   * Requests full block reports from nodes. A node reports all its blocks when it registers, and it
   * registers when the answer to its next heartbeat tells it to. Until then the operation that
   * needs the report is refused, and its caller repeats it. Skips dead nodes, nodes that were asked
   * and have not registered yet, and nodes that were asked recently: each request restarts the
   * report, and a report of millions of blocks takes minutes.
   *
   * @param before the operation that needs the reports, for the log
   */
  public static void askForReports(
      NameNodeHost host, Set<DatanodeDescriptor> nodes, String before) {
    for (DatanodeDescriptor node : nodes) {
      if (node.isRegistered() && host.asksForReport(node.getDatanodeUuid())) {
        LOG.info("asking {} for a full block report before {}", node, before);
        node.setForceRegistration(true);
      }
    }
  }

  /** The nodes of replicas of members that owe a full block report; the lock is held. */
  static Set<DatanodeDescriptor> staleNodes(NameNodeHost host, List<Member> members)
      throws IOException {
    Set<DatanodeDescriptor> nodes = new HashSet<>();
    for (Member member : members) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent()) {
        for (ReplicaView replica : ReplicaView.of(host.blocks(), held.get().block())) {
          if (replica.stale()) {
            nodes.add(replica.node());
          }
        }
      }
    }
    return nodes;
  }
}
