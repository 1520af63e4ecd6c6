package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ForeignFiles;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files of the storage policy {@code LAZY_PERSIST} that have a block without a replica. It
 * replaces HDFS's own scrubber, at the same interval, {@code
 * dfs.namenode.lazypersist.file.scrub.interval.sec}. HDFS's scrubber would also delete converted
 * files and parity that got this policy later, directly or from a directory, although their stripes
 * can rebuild the blocks.
 */
final class LazyPersistScrubber {
  private static final Logger LOG = LoggerFactory.getLogger(LazyPersistScrubber.class);

  /** Blocks looked at in a hold of the lock. */
  private static final int PAGE = 1000;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final ForeignFiles foreign;
  private final int seconds;
  private @Nullable ScheduledExecutorService thread;

  private LazyPersistScrubber(NameNodeHost host, StripeIndex index, int seconds) {
    this.host = host;
    this.index = index;
    this.foreign = new ForeignFiles(index);
    this.seconds = seconds;
  }

  /** Replaces HDFS's own scrubber. */
  static LazyPersistScrubber start(NameNodeHost host, StripeIndex index) throws IOException {
    int seconds =
        host.writing("braidScrub", () -> HadoopInternals.scrubLazyFiles(host.namesystem(), 0));
    LazyPersistScrubber scrubber = new LazyPersistScrubber(host, index, seconds);
    scrubber.run();
    return scrubber;
  }

  private void run() {
    if (seconds > 0) {
      ScheduledExecutorService started = DaemonThreads.scheduled(1, "braid-lazy-persist-scrubber");
      thread = started;
      Future<?> unused =
          started.scheduleWithFixedDelay(this::scrub, seconds, seconds, TimeUnit.SECONDS);
    }
  }

  private void scrub() {
    Turn.take(
        this::deleteWithoutCopies,
        e ->
            LOG.warn(
                "lazily persisted files without copies are looked for again in {} s: {}",
                seconds,
                e.getMessage(),
                e));
  }

  private void deleteWithoutCopies() throws IOException {
    if (!host.nameNode().isActiveState() || host.namesystem().isInSafeMode()) {
      return;
    }
    index.ensure();
    boolean deleted = false;
    for (long block : withoutCopies()) {
      deleted |= host.changing("braidScrub", () -> delete(block));
    }
    if (deleted) {
      host.namesystem().getEditLog().logSync();
    }
  }

  /** The blocks of such files of which HDFS finds no copy, looked at in short holds of its lock. */
  private List<Long> withoutCopies() throws IOException {
    Optional<long[]> listed = host.withoutCopies(Integer.MAX_VALUE);
    if (listed.isEmpty()) {
      LOG.info("blocks without copies change too often: they are looked at in {} s", seconds);
      return List.of();
    }
    long[] all = listed.get();
    List<Long> found = new ArrayList<>();
    for (int from = 0; from < all.length; from += PAGE) {
      long[] page = Arrays.copyOfRange(all, from, Math.min(all.length, from + PAGE));
      host.reading(
          "braidScrub",
          () -> {
            for (long id : page) {
              if (lazy(ReplicaView.stored(host.blocks(), id).orElse(null)).isPresent()) {
                found.add(id);
              }
            }
            return found;
          });
    }
    return found;
  }

  /** The lazily persisted file of a block, if it has none in a stripe; the lock is held. */
  private Optional<INodeFile> lazy(@Nullable BlockInfo block) {
    FSDirectory directory = host.namesystem().getFSDirectory();
    INode file = block == null ? null : directory.getInode(block.getBlockCollectionId());
    return file != null
            && file.isFile()
            && file.getStoragePolicyID() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()
            && foreign.contains(file.asFile())
        ? Optional.of(file.asFile())
        : Optional.empty();
  }

  /** Deletes a block's file if the block still has no copy; returns whether it did. */
  private boolean delete(long id) throws IOException {
    Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
    if (block.isEmpty()
        || !block.get().isComplete()
        || ReplicaView.of(host.blocks(), block.get()).stream().anyMatch(copy -> !copy.corrupt())) {
      return false;
    }
    Optional<INodeFile> file = lazy(block.get());
    Optional<INodesInPath> path =
        file.isEmpty()
            ? Optional.empty()
            : Namespace.pathTo(host.namesystem().getFSDirectory(), file.get());
    if (path.isPresent()) {
      LOG.warn(
          "removing lazily persisted file {}: a block of it has no copy", file.get().getName());
      HadoopInternals.delete(host.namesystem(), path.get());
    }
    return path.isPresent();
  }

  /** Gives scrubbing back to HDFS, whose scrubber starts when the NameNode next becomes active. */
  void close() {
    ScheduledExecutorService running = thread;
    if (running != null) {
      running.shutdownNow();
    }
    try {
      host.writing("braidScrub", () -> HadoopInternals.scrubLazyFiles(host.namesystem(), seconds));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
