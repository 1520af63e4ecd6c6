package org.braid.hdfs.namenode.moves;

import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Lets removals of a stripe's files check again when replicas of its blocks are dropped at the same
 * time. A removal may have counted on these replicas: without them, a block may need the blocks
 * that are removed.
 */
public final class DropsBeside implements Trimmer.Fence {
  /** Tells removals of a drop of replicas of files' blocks. */
  @FunctionalInterface
  private interface Told {
    MovesBeside.Move of(List<String> files) throws IOException;
  }

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Told told;
  private final String stripe;
  private final Trimmer.Fence fence;
  private Optional<Entry> described = Optional.empty();
  private MovesBeside.@Nullable Move present;

  /**
   * Creates a fence for drops that wait for removals of the stripe's files.
   *
   * @param fence additional check before each block
   */
  public DropsBeside(
      NameNodeHost host, StripeIndex index, MovesBeside moves, String stripe, Trimmer.Fence fence) {
    this(host, index, moves::drop, stripe, fence);
  }

  private DropsBeside(
      NameNodeHost host, StripeIndex index, Told told, String stripe, Trimmer.Fence fence) {
    this.host = host;
    this.index = index;
    this.told = told;
    this.stripe = stripe;
    this.fence = fence;
  }

  /**
   * Creates a fence for drops that are refused at once while removals of the stripe's files are
   * being made.
   */
  public static DropsBeside atOnce(
      NameNodeHost host, StripeIndex index, MovesBeside moves, String stripe) {
    return new DropsBeside(host, index, moves::dropAtOnce, stripe, () -> {});
  }

  /**
   * Begins a drop. Waits for removals of the stripe's files that are being made; a drop that must
   * not wait is refused instead.
   */
  @Override
  public Closeable begin() throws IOException {
    if (described.isEmpty()) {
      described = index.published(stripe);
    }
    List<String> there = host.reading("braidTrim", this::files);
    MovesBeside.Move move = told.of(there);
    move.made(); // even if no replica is dropped
    present = move;
    return move;
  }

  /**
   * Refuses the drop if a file was renamed meanwhile, because removals at its new path do not know
   * of the drop. The lock is held.
   */
  @Override
  public void check() throws IOException {
    fence.check();
    MovesBeside.Move move = present;
    for (String file : files()) {
      if (move == null || !move.covers(file)) {
        throw new RetriableException(file + " was renamed meanwhile: repeat later");
      }
    }
  }

  /** Real paths of the files with the stripe's data blocks. The lock is held. */
  private List<String> files() throws IOException {
    Set<String> files = new LinkedHashSet<>();
    if (described.isPresent()) {
      for (Member member : described.get().stripe().members()) {
        Optional<Held> held = StripeReader.held(host, member);
        if (held.isPresent() && held.get().file().getId() != described.get().inode()) {
          files.add(held.get().file().getFullPathName());
        }
      }
    }
    return List.copyOf(files);
  }
}
