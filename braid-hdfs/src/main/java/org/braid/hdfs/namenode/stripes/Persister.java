package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.files.FileView;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.ShortHold;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Judged;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.stripe.BlockIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the replication of a converted file to 1 in the edit log. It checks the blocks in short
 * holds of the NameNode's lock. One hold then checks that the file still has these blocks and makes
 * the change, so that no block written during a conversion is left with one replica and no parity.
 */
public final class Persister {
  private static final Logger LOG = LoggerFactory.getLogger(Persister.class);
  private static final short ONE = 1;

  /**
   * The result.
   *
   * @param refusals reasons against replication 1; empty when it was set
   * @param repeatable whether a later attempt may succeed
   */
  public record Answer(List<String> refusals, boolean repeatable) {
    static Answer never(String refusal) {
      return new Answer(List.of(refusal), false);
    }
  }

  private final NameNodeHost host;
  private final StripeIndex index;
  private final OpenWrites writes;
  private final StripeCheck check;

  public Persister(NameNodeHost host, StripeIndex index, OpenWrites writes) {
    this.host = host;
    this.index = index;
    this.writes = writes;
    this.check = new StripeCheck(host, writes);
  }

  /**
   * Sets replication 1 if each block of the file is in a published stripe that has no surplus
   * replicas and keeps its promise.
   *
   * @param fence checked under the lock
   * @return the result, with reasons against it
   */
  public Answer persist(long inode, Trimmer.Fence fence) throws IOException {
    index.ensure();
    Look look =
        host.changing(
            "braidPersist",
            () -> {
              fence.check();
              return look(inode);
            });
    List<BlockIdentity> judged = new ArrayList<>();
    Answer answer =
        look.against().isPresent() ? look.against().get() : judgeBlocks(look.blocks(), judged);
    Faults.reach(FaultStep.NAMENODE_PERSIST, Long.toString(inode));
    if (answer.refusals().isEmpty()) {
      answer =
          host.asOwner(
              () -> {
                Answer decided =
                    host.changing(
                        "braidPersist",
                        () -> {
                          fence.check();
                          return persistUnderLock(inode, judged);
                        });
                host.namesystem().getEditLog().logSync();
                return decided;
              });
    }
    if (answer.refusals().isEmpty()) {
      LOG.info("inode {} has replication 1 from now on", inode);
    } else {
      LOG.info("inode {} keeps its replication: {}", inode, answer.refusals());
    }
    return answer;
  }

  /**
   * What is asked of a stripe.
   *
   * @param published whether its description can be read
   */
  private record Judgment(boolean published, List<String> refusals, boolean whole) {}

  private Judgment judge(Entry known) throws IOException {
    Optional<Entry> entry = index.publishedUnderLock(known.id());
    return entry.isEmpty()
        ? new Judgment(false, List.of(), false)
        : new Judgment(true, check.refusals(entry.get()), check.isWhole(entry.get()));
  }

  /**
   * A file before its blocks are judged.
   *
   * @param against why it may not be persisted, whatever its blocks are
   */
  private record Look(Optional<Answer> against, BlockInfo[] blocks) {}

  private Look look(long id) {
    Optional<Answer> against = against(id);
    return new Look(against, against.isPresent() ? new BlockInfo[0] : file(id).getBlocks());
  }

  private INodeFile file(long id) {
    return host.namesystem().getFSDirectory().getInode(id).asFile();
  }

  /** What speaks against a file, whatever its blocks are. The lock is held. */
  private Optional<Answer> against(long id) {
    INode inode = host.namesystem().getFSDirectory().getInode(id);
    if (inode == null || !inode.isFile()) {
      return Optional.of(Answer.never("inode " + id + " is gone"));
    }
    INodeFile file = inode.asFile();
    if (file.numBlocks() == 0) {
      return Optional.of(Answer.never("it has no block"));
    }
    if (writes.contains(id)) {
      return Optional.of(new Answer(List.of("it is about to be written"), true));
    }
    if (file.isUnderConstruction()) {
      return Optional.of(Answer.never("it is open for writing"));
    }
    if (file.isStriped()) {
      return Optional.of(Answer.never("it is stored by HDFS's own erasure coding"));
    }
    return Optional.empty();
  }

  /**
   * Judges the blocks of a file in short holds of the lock, in each of which a stripe is judged
   * once.
   *
   * @param judged gets what each block was then
   */
  private Answer judgeBlocks(BlockInfo[] blocks, List<BlockIdentity> judged) throws IOException {
    Set<String> refusals = new LinkedHashSet<>();
    boolean[] repeatable = {true};
    Iterator<BlockInfo> left = Arrays.asList(blocks).iterator();
    while (left.hasNext()) {
      boolean unused =
          host.reading(
              "braidPersist",
              () -> {
                Judged<Judgment> stripes = new Judged<>(index, this::judge);
                new ShortHold(System::nanoTime)
                    .visit(
                        left,
                        block -> {
                          judged.add(ReplicaView.identity(block));
                          repeatable[0] &= judgeBlock(block, stripes, refusals);
                        });
                return true;
              });
    }
    return new Answer(List.copyOf(refusals), repeatable[0]);
  }

  /** Adds what speaks against a block; returns whether the same may be granted a little later. */
  private boolean judgeBlock(BlockInfo block, Judged<Judgment> stripes, Set<String> refusals)
      throws IOException {
    Optional<Entry> entry = stripes.of(block.getBlockId());
    boolean judged = entry.isPresent() && !stripes.isNew(entry.get());
    if (entry.isEmpty()
        || stripes.holding(block).isEmpty()
        || !stripes.judge(entry.get()).published()) {
      refusals.add(block.getBlockName() + " is in no stripe");
      return false;
    }
    boolean repeatable = true;
    if (!judged) {
      refusals.addAll(stripes.judge(entry.get()).refusals());
      repeatable = stripes.judge(entry.get()).whole();
    }
    int live = host.blocks().countNodes(block).liveReplicas();
    if (host.aims().of(block) != ONE || live != ONE) {
      refusals.add(
          "%s has %d live replicas and aims at %d, expected is 1"
              .formatted(block.getBlockName(), live, host.aims().of(block)));
      repeatable &= host.aims().of(block) == ONE;
    }
    return repeatable;
  }

  /**
   * Persists what was judged, if the file has the same blocks still, no snapshot is to keep it at
   * its replication, and nobody had a block aim at more copies since it was judged, as who writes
   * to the file, gives it replicas or takes other blocks from its stripes does. What becomes of
   * nodes and copies in between may as well become of them right afterwards: no copy depends on
   * this change, surplus ones were dropped when the stripes were trimmed.
   */
  private Answer persistUnderLock(long id, List<BlockIdentity> judged) throws IOException {
    Optional<Answer> against = against(id);
    if (against.isPresent()) {
      return against.get();
    }
    INodeFile file = file(id);
    if (!isAsJudged(file.getBlocks(), judged)
        || FileView.heldBySnapshot(host.namesystem().getFSDirectory(), file)) {
      return new Answer(List.of("it has changed while its blocks were looked at"), true);
    }
    writes.forgetLowered(id);
    if (file.getFileReplication() != ONE) {
      HadoopInternals.setReplication(host.namesystem(), id, ONE);
      host.metrics().count(Count.FILES_PERSISTED);
    }
    return new Answer(List.of(), true);
  }

  private boolean isAsJudged(BlockInfo[] blocks, List<BlockIdentity> judged) {
    if (blocks.length != judged.size()) {
      return false;
    }
    for (int i = 0; i < blocks.length; i++) {
      if (!ReplicaView.same(blocks[i], judged.get(i)) || host.aims().of(blocks[i]) != ONE) {
        return false;
      }
    }
    return true;
  }
}
