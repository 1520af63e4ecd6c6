package org.braid.hdfs.namenode.host;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * The number of replicas that each block should have, called its aim. When a truncation or the
 * deletion of a snapshot cuts a block off, HDFS subtracts the block from the quota by this number.
 * So encoded blocks temporarily aim at their file's replication while a cut is under way. All code
 * that sets an aim, or that decides by an aim what stays, uses this class, which sets and returns
 * the lasting aim, without cuts. Other code sees a block of a cut as replicated for that moment.
 * The caller holds the namesystem's lock, to set an aim the write lock.
 */
public final class BlockAims {
  private final NameNodeHost host;
  private final CutAims cuts = new CutAims();

  BlockAims(NameNodeHost host) {
    this.host = host;
  }

  /** The lasting aim of a block, without the cuts that are under way. */
  public short of(BlockInfo block) {
    return cuts.apart(block.getBlockId(), block.getReplication());
  }

  /** Sets the lasting aim of a block; HDFS adds or drops replicas accordingly. */
  public void set(BlockInfo block, short wanted) {
    short before = of(block);
    cuts.set(block.getBlockId(), wanted);
    short now = isCut(block) ? (short) Math.max(wanted, block.getReplication()) : wanted;
    host.blocks().setReplication(before, now, block);
  }

  /**
   * Sets the aim of a block to one replica and has HDFS drop the surplus, even if the aim was one
   * before. Drops nothing while a cut of the block is under way.
   */
  public void setOne(BlockInfo block) {
    if (isCut(block)) {
      cuts.set(block.getBlockId(), (short) 1);
    } else {
      short before = (short) Math.max(2, block.getReplication());
      host.blocks().setReplication(before, (short) 1, block);
    }
  }

  /** Whether a cut of the block is under way. */
  public boolean isCut(BlockInfo block) {
    return cuts.contains(block.getBlockId());
  }

  /** Begins a cut: the block aims at another number, without HDFS adding or dropping replicas. */
  public void beginCut(BlockInfo block, short wanted) {
    cuts.begin(block.getBlockId(), block.getReplication(), wanted);
    block.setReplication(wanted);
  }

  /** Ends a cut of a block that still exists: restores its lasting aim. */
  public void endCut(BlockInfo block) {
    short present = block.getReplication();
    short next = cuts.end(block.getBlockId(), present);
    // A standby forgets what blocks aim at in its memory alone.
    if (next == present || !host.nameNode().isActiveState()) {
      return;
    }
    if (next > present) {
      // HDFS may have seen meanwhile that it has enough copies: it makes more when it is told.
      host.blocks().setReplication(present, next, block);
    } else {
      block.setReplication(next);
    }
  }

  /** Ends a cut of a block that no longer exists. */
  public void endCut(long id) {
    short unused = cuts.end(id, (short) 0);
  }
}
