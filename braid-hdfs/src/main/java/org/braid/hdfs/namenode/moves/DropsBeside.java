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
 * Has removals of a stripe's files look again when copies of its blocks are dropped beside them: a
 * block that was judged to need nothing, as it had copies, may need what is removed from then on.
 */
public final class DropsBeside implements Trimmer.Fence {
  /** Tells removals that copies of blocks of files are dropped. */
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
   * Nothing is dropped yet.
   *
   * @param fence what else is checked before each block
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

  /** Drops that are refused at once while removals of the stripe's files are being made. */
  public static DropsBeside atOnce(
      NameNodeHost host, StripeIndex index, MovesBeside moves, String stripe) {
    return new DropsBeside(host, index, moves::dropAtOnce, stripe, () -> {});
  }

  /** Waits for removals of the stripe's files that are being made, unless it drops at once. */
  @Override
  public Closeable begin() throws IOException {
    if (described.isEmpty()) {
      described = index.published(stripe);
    }
    List<String> there = host.reading("braidTrim", this::files);
    MovesBeside.Move move = told.of(there);
    move.made(); // whatever comes of it
    present = move;
    return move;
  }

  /** Under the lock: a file that was renamed meanwhile is removed elsewhere. */
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

  /** Where the stripe's data is. The lock is held. */
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
