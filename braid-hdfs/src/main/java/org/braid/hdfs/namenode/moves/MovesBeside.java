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
import org.apache.hadoop.ipc.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Lets removals, and calls that give files other paths, not pass one another unseen. What is
 * removed is judged some time before HDFS removes it: a file that comes there in between would go
 * without having been judged, and one that leaves would stay without what it is rebuilt from. So
 * such a call makes a removal look again; while one is made that was judged, the call waits. The
 * same holds for copies of blocks there that are dropped.
 *
 * <p>Each waits for those alone that came before it, so that whoever calls all the time keeps
 * nobody from going on. Thread-safe.
 */
public final class MovesBeside {
  /** So many calls wait at most, as each has a thread; others are refused. */
  static final int MOST_WAITING = 16;

  /** Of more files than these that move at once, the directory above all of them counts. */
  static final int MANY = 32;

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

    /** Removals that were being made when it came, and are not over. */
    private final Set<Taking> before = new HashSet<>();

    private volatile boolean made;

    private Move(List<String> paths) {
      this.paths = paths;
    }

    private boolean passes(Taking taking) {
      return by != taking.by && overlap(paths, taking.tops);
    }

    /** Whether it comes before a removal there that is not being made yet. */
    private boolean precedes(Taking taking) {
      return passes(taking) && !before.contains(taking);
    }

    /** Whether removals of what is at a path know of it. */
    public boolean covers(String path) {
      return paths.stream().anyMatch(top -> RealPaths.isAtOrBelow(path, top));
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

    /** Others that take what it moves, or move what it takes, came before it and are not over. */
    private final Set<Taking> before = new HashSet<>();

    private @Nullable Thread by;
    private boolean stirred;

    /** It is to be made, or is being made. */
    private boolean asked;

    /** It is being made. */
    private boolean held;

    /**
     * It is about to be judged, by the present thread: what moved before does not matter.
     *
     * @param below the real path of what goes
     * @param replacing the real path of a file that the same call has moved there; else empty
     */
    public void looks(String below, Optional<String> replacing) {
      synchronized (MovesBeside.this) {
        List<String> now = List.of(below);
        List<String> movedNow = replacing.map(from -> List.of(from, below)).orElse(List.of());
        if (!now.equals(tops) || !movedNow.equals(moved)) {
          free(); // nobody waits for it there
        }
        tops = now;
        moved = movedNow;
        by = Thread.currentThread();
        beside.clear();
        moves.stream().filter(move -> move.precedes(this)).forEach(beside::add);
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
        if (stirred) {
          free();
        }
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
      boolean stays = false;
      try {
        if (!held) {
          asked = true;
          before.clear();
          takings.stream().filter(other -> other.asked && crosses(other)).forEach(before::add);
          held = await(before::isEmpty);
        }
        stays = held && await(beside::isEmpty);
      } finally {
        if (!stays) {
          free();
        }
      }
      if (!stays) {
        throw new RetriableException(
            "%s cannot be removed now: files are being renamed to there or from there; try again"
                .formatted(String.join(", ", tops)));
      }
    }

    /** Whether it moves what another one is about to remove, or the other way round. */
    private boolean crosses(Taking other) {
      return other != this && (overlap(moved, other.tops) || overlap(other.moved, tops));
    }

    /** Nobody waits for it any more. */
    private void free() {
      asked = false;
      held = false;
      by = null;
      takings.forEach(other -> other.before.remove(this));
      for (Move move : moves) {
        if (move.before.remove(this) && move.passes(this)) {
          beside.add(move);
        }
      }
      MovesBeside.this.notifyAll();
    }

    /** It is not about to be made any more. */
    public void letGo() {
      synchronized (MovesBeside.this) {
        free();
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
        free();
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
  public Move move(List<String> from, String to) throws IOException {
    List<String> paths = from.size() > MANY ? List.of(above(from), to) : with(from, to);
    return begin(
        paths,
        MOST_WAITING,
        "%s cannot be moved to %s now: something is being removed there; try again"
            .formatted(String.join(", ", paths.subList(0, paths.size() - 1)), to));
  }

  private static List<String> with(List<String> from, String to) {
    List<String> paths = new ArrayList<>(from);
    paths.add(to);
    return paths;
  }

  /** The directory above all of some paths. */
  private static String above(List<String> paths) {
    String above = parent(paths.get(0));
    for (String path : paths) {
      while (!RealPaths.isAtOrBelow(path, above)) {
        above = parent(above);
      }
    }
    return above;
  }

  private static String parent(String path) {
    int name = path.lastIndexOf('/');
    return name > 0 ? path.substring(0, name) : "/";
  }

  /**
   * Copies of blocks are about to be dropped, which is as if their files came there anew.
   *
   * @param files real paths
   * @throws IOException when a removal there lasts
   */
  public Move drop(List<String> files) throws IOException {
    return begin(files, MOST_WAITING, noDrop(files));
  }

  /**
   * The same by one that waits for nothing.
   *
   * @throws RetriableException when a removal there is being made
   */
  public Move dropAtOnce(List<String> files) throws IOException {
    return begin(files, 0, noDrop(files));
  }

  private static String noDrop(List<String> files) {
    return "no copies of blocks of %s are dropped now: something is being removed there; try again"
        .formatted(String.join(", ", files));
  }

  /**
   * Begins a call.
   *
   * @param places in which calls wait; of one that does not wait none is a part of a removal
   */
  private synchronized Move begin(List<String> paths, int places, String refusal)
      throws IOException {
    Move move = new Move(paths);
    boolean carries =
        places > 0 && takings.stream().anyMatch(t -> t.held && t.by == Thread.currentThread());
    if (!carries) {
      takings.stream().filter(t -> t.held && move.passes(t)).forEach(move.before::add);
    }
    boolean waits = !move.before.isEmpty();
    if (waits && waiting >= places) {
      throw new RetriableException(refusal);
    }
    moves.add(move);
    takings.stream().filter(move::precedes).forEach(taking -> taking.beside.add(move));
    boolean begun = !waits;
    if (waits) {
      waiting++;
      try {
        begun = await(move.before::isEmpty);
      } finally {
        waiting--;
        if (!begun) {
          move.close();
        }
      }
    }
    if (!begun) {
      throw new RetriableException(refusal);
    }
    return move;
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
