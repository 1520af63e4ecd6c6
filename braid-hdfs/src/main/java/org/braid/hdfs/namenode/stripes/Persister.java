package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Judged;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the replication of a converted file 1 in the edit log. The decision and the change share
 * one hold of the NameNode's lock, so that what is written beside a conversion is never left with
 * one replica and no parity.
 */
public final class Persister {
  private static final Logger LOG = LoggerFactory.getLogger(Persister.class);
  private static final short ONE = 1;

  /**
   * What was decided.
   *
   * @param refusals why replication 1 is not persisted; empty when it is
   * @param repeatable whether the same may be granted a little later
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
   * Persists replication 1, if each block that the file has at this moment is in a published stripe
   * that has no surplus replicas and keeps its promise.
   *
   * @param fence checked under the lock
   * @return why not
   */
  public Answer persist(long inode, Trimmer.Fence fence) throws IOException {
    index.ensure();
    Faults.reach(FaultStep.NAMENODE_PERSIST, Long.toString(inode));
    Answer answer =
        host.asOwner(
            () -> {
              Answer decided =
                  host.changing(
                      "braidPersist",
                      () -> {
                        fence.check();
                        return persistUnderLock(inode);
                      });
              host.namesystem().getEditLog().logSync();
              return decided;
            });
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
   * One hold of the lock for the whole file: nothing tells of all that would have to be looked at
   * again after a pause, as each of the nodes, copies and snapshots may be another one by then, and
   * a file of which one block is not safe must not get replication 1. Each stripe is judged once.
   */
  private Answer persistUnderLock(long id) throws IOException {
    INode inode = host.namesystem().getFSDirectory().getInode(id);
    if (inode == null || !inode.isFile()) {
      return Answer.never("inode " + id + " is gone");
    }
    INodeFile file = inode.asFile();
    if (file.numBlocks() == 0) {
      return Answer.never("it has no block");
    }
    if (writes.contains(id)) {
      return new Answer(List.of("it is about to be written"), true);
    }
    if (file.isUnderConstruction()) {
      return Answer.never("it is open for writing");
    }
    if (file.isStriped()) {
      return Answer.never("it is stored by HDFS's own erasure coding");
    }
    List<String> refusals = new ArrayList<>();
    boolean repeatable = true;
    Judged<Judgment> stripes = new Judged<>(index, this::judge);
    for (BlockInfo block : file.getBlocks()) {
      Optional<Entry> entry = stripes.of(block.getBlockId());
      boolean judged = entry.isPresent() && !stripes.isNew(entry.get());
      if (entry.isEmpty()
          || stripes.holding(block).isEmpty()
          || !stripes.judge(entry.get()).published()) {
        refusals.add(block.getBlockName() + " is in no stripe");
        repeatable = false;
        continue;
      }
      if (!judged) {
        refusals.addAll(stripes.judge(entry.get()).refusals());
        repeatable &= stripes.judge(entry.get()).whole();
      }
      int live = host.blocks().countNodes(block).liveReplicas();
      if (host.aims().of(block) != ONE || live != ONE) {
        refusals.add(
            "%s has %d live replicas and aims at %d, expected is 1"
                .formatted(block.getBlockName(), live, host.aims().of(block)));
        repeatable &= host.aims().of(block) == ONE;
      }
    }
    if (refusals.isEmpty()) {
      writes.forgetLowered(id);
    }
    if (refusals.isEmpty() && file.getFileReplication() != ONE) {
      HadoopInternals.setReplication(host.namesystem(), id, ONE);
      host.metrics().count(Count.FILES_PERSISTED);
    }
    return new Answer(refusals, repeatable);
  }
}
