package org.braid.hdfs.namenode.view;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.ResumedWalk;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stripes that may be damaged, without a scan of all stripes. It starts from three kinds
 * of blocks: those without a good replica, which HDFS queues; those on silent or leaving nodes; and
 * those that the replica guard has found to have surplus replicas or one that is not at home.
 */
public final class DamagedStripes {
  /** With a list of more blocks every look at some stripes finds damaged ones. */
  private static final int MOST = 5_000_000;

  /** Lists are made in at most this part of the time, whoever asks; but a list ages no longer. */
  private static final int SHARE = 10;

  private static final long OLDEST_MILLIS = 10_000;

  /** Pages behind the first one are of a list that is no older. */
  private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Supplier<Set<Long>> displaced;
  private @Nullable Made last;

  /** A list, or that there was none, from when it was begun. */
  private record Made(Optional<RepairOrder> order, long begun, long tookMillis) {}

  /**
   * Starts without state.
   *
   * @param displaced blocks with surplus replicas, or with one that is not at home
   */
  public DamagedStripes(NameNodeHost host, StripeIndex index, Supplier<Set<Long>> displaced) {
    this.host = host;
    this.index = index;
    this.displaced = displaced;
  }

  /**
   * The stripes in the order of repair. Empty when the caller must scan all stripes, because too
   * many are damaged or the NameNode does not count replicas yet.
   *
   * @param first whether the first page is asked for, which comes from a list of the last seconds;
   *     later pages may come from one that is up to a minute old
   */
  synchronized Optional<RepairOrder> inOrder(boolean first) throws IOException {
    if (!host.decides()) {
      last = null;
      return Optional.empty();
    }
    Made present = last;
    long begun = Time.monotonicNow();
    if (present != null && begun - present.begun < kept(present, first)) {
      return present.order;
    }
    Optional<RepairOrder> order = found().map(found -> found.order(index::fileOf));
    last = new Made(order, begun, Time.monotonicNow() - begun);
    return order;
  }

  private static long kept(Made made, boolean first) {
    return first ? Math.min(OLDEST_MILLIS, SHARE * made.tookMillis) : KEPT_MILLIS;
  }

  private Optional<RepairOrder.Found> found() throws IOException {
    RepairOrder.Found found = new RepairOrder.Found();
    displaced.get().forEach(block -> add(block, false, found));
    boolean all = true;
    // HDFS's reports leave out hosts that may not register any more, before they are dead.
    for (DatanodeDescriptor node : host.nodes().getDatanodes()) {
      boolean suspect = host.isSuspect(node);
      boolean sound = ReplicaView.inService(node) && !suspect;
      if (!sound && !node.isDecommissioned()) {
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
          all = all && add(new StorageBlocks(storage), suspect, found);
        }
      }
    }
    // Last: what a node that is declared dead meanwhile had is there by then.
    Optional<long[]> lost = all ? host.withoutCopies(MOST) : Optional.empty();
    lost.ifPresent(blocks -> Arrays.stream(blocks).forEach(block -> add(block, true, found)));
    return lost.map(unused -> found);
  }

  private void add(long block, boolean isLost, RepairOrder.Found found) {
    int stripe = index.number(block);
    if (stripe >= 0) {
      found.add(stripe, isLost);
    }
  }

  /** Adds the stripes of blocks, in short holds of the lock; returns whether these were all. */
  private boolean add(ResumedWalk.Source<BlockInfo> list, boolean isLost, RepairOrder.Found found)
      throws IOException {
    ResumedWalk<BlockInfo> walk = new ResumedWalk<>(list, MOST);
    ResumedWalk.State state;
    do {
      state =
          host.readingBlocks(
              "braidDamaged", () -> walk.step(block -> add(block.getBlockId(), isLost, found)));
    } while (state == ResumedWalk.State.MORE);
    return state == ResumedWalk.State.DONE;
  }

  /** The blocks of a storage; they keep their order from one report of its node to the next. */
  private static final class StorageBlocks implements ResumedWalk.Source<BlockInfo> {
    private final DatanodeStorageInfo storage;
    private int reports;

    StorageBlocks(DatanodeStorageInfo storage) {
      this.storage = storage;
    }

    @Override
    public Iterator<BlockInfo> begin() {
      reports = storage.getBlockReportCount();
      return HadoopInternals.blocks(storage);
    }

    @Override
    public Optional<Iterator<BlockInfo>> behind(Collection<BlockInfo> last) {
      if (storage.getBlockReportCount() != reports) {
        return Optional.empty();
      }
      return last.stream()
          .filter(this::isHere)
          .findFirst()
          .map(
              block -> {
                Iterator<BlockInfo> rest = HadoopInternals.blocksFrom(storage, block);
                rest.next();
                return rest;
              });
    }

    private boolean isHere(BlockInfo block) {
      boolean here = false;
      for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
        here |= storage.equals(i.next());
      }
      return here;
    }
  }
}
