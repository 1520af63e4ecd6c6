package org.braid.hdfs.namenode.moves;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets removals, and calls that give files other paths, not pass one another unseen. What is
 * removed is judged some time before HDFS removes it: a file that comes there in between would go
 * without having been judged, and one that leaves would stay without what it is rebuilt from. So
 * such a call makes a removal look again; while one is made that was judged, the call waits.
 * Thread-safe.
 */
public final class MovesBeside {
  /** So many calls wait at most, as each has a thread; others are refused. */
  static final int MOST_WAITING = 16;

  private final long waitMillis;
  private final Set<Taking> takings = new HashSet<>();
  private final Set<Move> moves = new HashSet<>();
  private int waiting;

  /**
   * Nothing is removed or moved yet.
   *
   * @param waitMillis for how long one waits for the other at most
   */
  public MovesBeside(long waitMillis) {
    this.waitMillis = waitMillis;
  }

  /** A call that gives files other paths, from before HDFS makes it until it has. */
  public final class Move implements Closeable {
    private final List<String> paths;
    private final Thread by = Thread.currentThread();

    private Move(List<String> paths) {
      this.paths = paths;
    }

    private boolean passes(Taking taking) {
      return by != taking.by && overlap(paths, taking.tops);
    }

    @Override
    public void close() {
      synchronized (MovesBeside.this) {
        moves.remove(this);
        takings.forEach(taking -> taking.beside.remove(this));
        MovesBeside.this.notifyAll();
      }
    }
  }

  /** What a removal takes, from before it is judged until it was made or given up. */
  public final class Taking implements Closeable {
    /** Below which something goes. */
    private List<String> tops = List.of();

    /** Where the call that removes has a file moved from and to; empty when it moves none. */
    private List<String> moved = List.of();

    private final Set<Move> beside = new HashSet<>();
    private @Nullable Thread by;
    private boolean stirred;
    private boolean held;

    /**
     * It is about to be judged, by the present thread: what moved before does not matter.
     *
     * @param below the real path of what goes
     * @param replacing the real path of a file that the same call has moved there; else empty
     */
    public void looks(String below, Optional<String> replacing) {
      synchronized (MovesBeside.this) {
        tops = List.of(below);
        moved = replacing.map(from -> List.of(from, below)).orElse(List.of());
        by = Thread.currentThread();
        beside.clear();
        moves.stream().filter(move -> move.passes(this)).forEach(beside::add);
        stirred = !beside.isEmpty();
      }
    }

    /**
     * Has it stay as it was judged until it is closed or let go, if it is so still.
     *
     * @return false when it is to be judged again
     */
    public boolean hold() {
      synchronized (MovesBeside.this) {
        held |= !stirred && isFree();
        return held;
      }
    }

    /**
     * Has it stay as it is before it is judged once more.
     *
     * @throws IOException when files come and go all the time
     */
    public void holdFirst() throws IOException {
      synchronized (MovesBeside.this) {
        if (!await(this::isFree)) {
          throw new IOException(
              "%s cannot be removed now: files are being renamed to there or from there; try again"
                  .formatted(String.join(", ", tops)));
        }
        held = true;
      }
    }

    /** Whether nothing that moves passes it, and it nothing that is held. */
    private boolean isFree() {
      return beside.isEmpty()
          && takings.stream()
              .filter(other -> other != this && other.held)
              .noneMatch(other -> overlap(moved, other.tops) || overlap(other.moved, tops));
    }

    /** It is not about to be made any more. */
    public void letGo() {
      synchronized (MovesBeside.this) {
        held = false;
        MovesBeside.this.notifyAll();
      }
    }

    /** The present thread makes it. */
    public void carries() {
      synchronized (MovesBeside.this) {
        by = Thread.currentThread();
      }
    }

    @Override
    public void close() {
      synchronized (MovesBeside.this) {
        takings.remove(this);
        MovesBeside.this.notifyAll();
      }
    }
  }

  /** A removal begins. */
  public synchronized Taking take() {
    Taking taking = new Taking();
    takings.add(taking);
    return taking;
  }

  /**
   * A call begins that gives files other paths. It waits for removals there that are being made,
   * but not for the one that it is a part of.
   *
   * @param from real paths
   * @throws IOException when one of these lasts
   */
  public synchronized Move move(List<String> from, String to) throws IOException {
    List<String> paths = new ArrayList<>(from);
    paths.add(to);
    Move move = new Move(paths);
    boolean carries = takings.stream().anyMatch(t -> t.held && t.by == Thread.currentThread());
    if (!carries && !await(() -> takings.stream().noneMatch(t -> t.held && move.passes(t)))) {
      throw new IOException(
          "%s cannot be moved to %s now: something is being removed there; try again"
              .formatted(String.join(", ", from), to));
    }
    moves.add(move);
    for (Taking taking : takings) {
      if (move.passes(taking)) {
        taking.beside.add(move);
        taking.stirred = true;
      }
    }
    return move;
  }

  private boolean await(BooleanSupplier free) throws IOException {
    if (free.getAsBoolean()) {
      return true;
    }
    if (waiting == MOST_WAITING) {
      return false;
    }
    waiting++;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    try {
      while (!free.getAsBoolean()) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the NameNode is stopping");
    } finally {
      waiting--;
    }
  }

  private static boolean overlap(List<String> some, List<String> others) {
    return some.stream()
        .anyMatch(one -> others.stream().anyMatch(other -> RealPaths.overlap(one, other)));
  }
}
