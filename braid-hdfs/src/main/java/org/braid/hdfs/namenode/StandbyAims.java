package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.stripe.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resets block aims, which exist in memory only, when a NameNode becomes a standby. A trim lowers
 * the aim of a block before replication 1 of the file is in the edit log. Braid also raises aims of
 * blocks whose stripe loses other blocks. What the new active NameNode does with these files, such
 * as restoring or encoding them, does not change the aims here. So on a standby the blocks aim at
 * their files' replication, as after a restart. While this is more than one, the home of each block
 * must keep its replica, because the trim will be repeated.
 */
final class StandbyAims {
  private static final Logger LOG = LoggerFactory.getLogger(StandbyAims.class);
  private static final int PART = 10_000;

  private final NameNodeHost host;
  private final StripeIndex index;

  /** When this NameNode became what it was at the last look, active or standby. */
  private long since;

  StandbyAims(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.since = host.term();
  }

  /** Checks whether this NameNode became active or a standby since the last call. */
  void turn() throws IOException {
    long now = host.term();
    if (now != since) {
      if (!isActive()) {
        forget();
      }
      since = now;
    }
  }

  private boolean isActive() {
    return host.nameNode().isActiveState();
  }

  private void forget() throws IOException {
    int changed = 0;
    String after = "";
    do {
      List<Long> others = new ArrayList<>();
      List<String> stripes = new ArrayList<>();
      String[] reached = {""};
      index.visit(
          "braidStandby",
          after,
          entry -> {
            int before = others.size();
            for (Member member : entry.stripe().members()) {
              if (!member.isVirtual() && other(member.block().id()).isPresent()) {
                others.add(member.block().id());
              }
            }
            if (others.size() > before) {
              stripes.add(entry.stripe().id());
            }
            reached[0] = others.size() < PART ? "" : entry.stripe().id();
            return others.size() < PART && !isActive();
          });
      changed += set(others);
      for (String stripe : stripes) {
        index.awaitAgain(stripe);
      }
      after = reached[0];
    } while (!after.isEmpty() && !isActive());
    LOG.info("this NameNode is a standby: {} blocks aim at what their files want again", changed);
  }

  /** A block that aims at other than its file wants. The lock is held. */
  private Optional<BlockInfo> other(long id) {
    return ReplicaView.stored(host.blocks(), id)
        .filter(block -> block.getReplication() != wanted(block));
  }

  private short wanted(BlockInfo block) {
    INodeFile file = host.namesystem().getBlockCollection(block.getBlockCollectionId());
    return file == null || file.isStriped()
        ? block.getReplication()
        : file.getPreferredBlockReplication();
  }

  private int set(List<Long> blocks) throws IOException {
    int[] changed = new int[1];
    host.writingEach("braidStandby", blocks, id -> changed[0] += set(id));
    return changed[0];
  }

  /**
   * No more than the number: a standby decides nothing, and looks at all blocks when it is active.
   */
  private int set(long id) {
    Optional<BlockInfo> block = isActive() ? Optional.empty() : other(id);
    block.ifPresent(found -> found.setReplication(wanted(found)));
    return block.isPresent() ? 1 : 0;
  }
}
