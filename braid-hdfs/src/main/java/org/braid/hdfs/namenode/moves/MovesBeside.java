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
    private volatile boolean made;

    private Move(List<String> paths) {
      this.paths = paths;
    }

    private boolean passes(Taking taking) {
      return by != taking.by && overlap(paths, taking.tops);
    }

    /** HDFS has moved something, or may: removals beside it look again. */
    public void made() {
      made = true;
    }

    @Override
    public void close() {
      synchronized (MovesBeside.this) {
        moves.remove(this);
        for (Taking taking : takings) {
          boolean passed = taking.beside.remove(this);
          taking.stirred |= passed && made;
        }
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
        stirred = false;
      }
    }

    /**
     * Has it stay as it was judged until it is closed or let go, if it is so still. Waits for what
     * is moving.
     *
     * @return false when something moved, so that it is to be judged again
     * @throws IOException when something is moving, or is removed, for long
     */
    public boolean hold() throws IOException {
      synchronized (MovesBeside.this) {
        stay();
        held = !stirred;
        MovesBeside.this.notifyAll();
        return held;
      }
    }

    /**
     * Has it stay as it is before it is judged once more.
     *
     * @throws IOException when something is moving, or is removed, for long
     */
    public void holdFirst() throws IOException {
      synchronized (MovesBeside.this) {
        stay();
      }
    }

    /** What comes now waits for it, and it for what came before. */
    private void stay() throws IOException {
      held = held || await(() -> !crossesHeld());
      held = held && await(beside::isEmpty);
      if (!held) {
        MovesBeside.this.notifyAll();
        throw new IOException(
            "%s cannot be removed now: files are being renamed to there or from there; try again"
                .formatted(String.join(", ", tops)));
      }
    }

    /** Whether it moves what another one is about to remove, or the other way round. */
    private boolean crossesHeld() {
      return takings.stream()
          .filter(other -> other != this && other.held)
          .anyMatch(other -> overlap(moved, other.tops) || overlap(other.moved, tops));
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
    if (!carries && !awaitRemovals(move)) {
      throw new IOException(
          "%s cannot be moved to %s now: something is being removed there; try again"
              .formatted(String.join(", ", from), to));
    }
    moves.add(move);
    takings.stream().filter(move::passes).forEach(taking -> taking.beside.add(move));
    return move;
  }

  private boolean awaitRemovals(Move move) throws IOException {
    BooleanSupplier free = () -> takings.stream().noneMatch(t -> t.held && move.passes(t));
    if (free.getAsBoolean()) {
      return true;
    }
    if (waiting == MOST_WAITING) {
      return false;
    }
    waiting++;
    try {
      return await(free);
    } finally {
      waiting--;
    }
  }

  private synchronized boolean await(BooleanSupplier free) throws IOException {
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
    }
  }

  private static boolean overlap(List<String> some, List<String> others) {
    return some.stream()
        .anyMatch(one -> others.stream().anyMatch(other -> RealPaths.overlap(one, other)));
  }
}
