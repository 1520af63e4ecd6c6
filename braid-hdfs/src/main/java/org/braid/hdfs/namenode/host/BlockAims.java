package org.braid.hdfs.namenode.host;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * How many replicas blocks aim at. HDFS counts a block that it cuts off by that number, so encoded
 * ones aim at what their file wants during a cut. Whoever sets a number, or decides by it what is
 * to last, does so here, and sets and finds what holds apart from cuts; to others a block that is
 * about to be cut off looks replicated for that moment. The namesystem's lock is held, to set one
 * the write lock.
 */
public final class BlockAims {
  private final NameNodeHost host;
  private final CutAims cuts = new CutAims();

  BlockAims(NameNodeHost host) {
    this.host = host;
  }

  /** What a block aims at, apart from cuts. */
  public short of(BlockInfo block) {
    return cuts.apart(block.getBlockId(), block.getReplication());
  }

  /** Has a block aim at another number of replicas, and HDFS make or drop them. */
  public void set(BlockInfo block, short wanted) {
    short before = of(block);
    cuts.set(block.getBlockId(), wanted);
    short now = isCut(block) ? (short) Math.max(wanted, block.getReplication()) : wanted;
    host.blocks().setReplication(before, now, block);
  }

  /**
   * Has a block aim at one replica, and HDFS look which ones it drops, also where it aims at one
   * already. During a cut none is dropped.
   */
  public void setOne(BlockInfo block) {
    if (isCut(block)) {
      cuts.set(block.getBlockId(), (short) 1);
    } else {
      short before = (short) Math.max(2, block.getReplication());
      host.blocks().setReplication(before, (short) 1, block);
    }
  }

  /** Whether a block is about to be cut off. */
  public boolean isCut(BlockInfo block) {
    return cuts.contains(block.getBlockId());
  }

  /** A cut begins: a block aims at another number, of which HDFS is not told. */
  public void beginCut(BlockInfo block, short wanted) {
    cuts.begin(block.getBlockId(), block.getReplication(), wanted);
    block.setReplication(wanted);
  }

  /** A cut has ended of a block that is still there: it aims as before. */
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

  /** A cut has ended of a block that is gone. */
  public void endCut(long id) {
    short unused = cuts.end(id, (short) 0);
  }
}
