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
 * Orders removals against calls that change the paths of files. A removal is checked some time
 * before HDFS makes it. If a call moves a file to the removal's path in between, the file would be
 * deleted unchecked. If a call moves a file away in between, the file would stay without the blocks
 * that it is rebuilt from. So a removal checks again when such a call was made after its check, and
 * such a call waits while a checked removal is being made. A drop of replicas of the files' blocks
 * counts as such a call.
 *
 * <p>A removal waits only for calls that began before it is made, and a call only for removals that
 * were being made when it began. So a caller with many calls blocks nobody. Thread-safe.
 */
public final class MovesBeside {
  /** Maximum number of waiting calls, because each holds a thread; further calls are refused. */
  static final int MOST_WAITING = 16;

  /**
   * Maximum number of source paths that are kept one by one; of more, the directory above all
   * counts.
   */
  static final int MANY = 32;

  private final long waitMillis;
  private final Set<Taking> takings = new HashSet<>();
  private final Set<Move> moves = new HashSet<>();
  private int waiting;

  /**
   * Starts without removals and calls.
   *
   * @param waitMillis maximum wait of removals and calls for each other
   */
  public MovesBeside(long waitMillis) {
    this.waitMillis = waitMillis;
  }

  /** A call that changes the paths of files, from before HDFS makes it to its end. */
  public final class Move implements Closeable {
    private final List<String> paths;
    private final Thread by = Thread.currentThread();

    /** Removals that were being made when the call began, and that have not ended. */
    private final Set<Taking> before = new HashSet<>();

    private volatile boolean made;

    private Move(List<String> paths) {
      this.paths = paths;
    }

    private boolean passes(Taking taking) {
      return by != taking.by && overlap(paths, taking.tops);
    }

    /**
     * Whether the call is at the paths of a removal that was not being made when the call began.
     */
    private boolean precedes(Taking taking) {
      return passes(taking) && !before.contains(taking);
    }

    /** Whether removals at a path take the call into account. */
    public boolean covers(String path) {
      return paths.stream().anyMatch(top -> RealPaths.isAtOrBelow(path, top));
    }

    /**
     * Notes that HDFS has moved files, or may have: removals at the paths of the call check again.
     */
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

  /** A removal, from before its check until it is made or given up. */
  public final class Taking implements Closeable {
    /** Real paths at and below which files are removed. */
    private List<String> tops = List.of();

    /**
     * Source and target of the rename that the removing call makes; empty when it renames no file.
     */
    private List<String> moved = List.of();

    private final Set<Move> beside = new HashSet<>();

    /**
     * Earlier removals that have not ended, and that remove what this one renames, or the other way
     * round.
     */
    private final Set<Taking> before = new HashSet<>();

    private @Nullable Thread by;
    private boolean stirred;

    /** Whether the removal is to be made, or is being made: later ones that cross it wait. */
    private boolean asked;

    /** Whether the removal is being made: later calls at its paths wait. */
    private boolean held;

    /**
     * Begins a check by the present thread. Calls that have ended before it do not matter, because
     * the check sees their result.
     *
     * @param below real path of the removed file or directory
     * @param replacing real path of the file that the same call renames to {@code below}; else
     *     empty
     */
    public void looks(String below, Optional<String> replacing) {
      synchronized (MovesBeside.this) {
        List<String> now = List.of(below);
        List<String> movedNow = replacing.map(from -> List.of(from, below)).orElse(List.of());
        if (!now.equals(tops) || !movedNow.equals(moved)) {
          free(); // no call waits for it at these paths
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
     * If no file was moved since the check, blocks calls at the removal's paths until this removal
     * is closed or let go. Waits for calls that are under way.
     *
     * @return false when a file was moved, so that the removal must be checked again
     * @throws IOException when a call or another removal takes too long
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
     * Blocks calls at the removal's paths before a further check.
     *
     * @throws IOException when a call or another removal takes too long
     */
    public void holdFirst() throws IOException {
      synchronized (MovesBeside.this) {
        stay();
      }
    }

    /** Makes later removals and calls wait for this removal, and waits for the earlier ones. */
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

    /** Whether one of two removals renames what the other one removes. */
    private boolean crosses(Taking other) {
      return other != this && (overlap(moved, other.tops) || overlap(other.moved, tops));
    }

    /** Lets the removals and calls go on that wait for this removal. */
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

    /** Permits calls at the paths: the removal is not about to be made any more. */
    public void letGo() {
      synchronized (MovesBeside.this) {
        free();
      }
    }

    /**
     * Declares that the present thread makes the removal, so that its own calls do not wait for it.
     */
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

  /** Begins a removal. */
  public synchronized Taking take() {
    Taking taking = new Taking();
    takings.add(taking);
    return taking;
  }

  /**
   * Begins a call that changes the paths of files. Waits for removals at these paths that are being
   * made, unless the present thread makes a removal itself.
   *
   * @param from real paths of the files
   * @param to real path of the target
   * @throws IOException when a removal takes too long, or too many calls wait
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

  /** The nearest directory above all paths. */
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
   * Begins a drop of replicas of files' blocks. For removals it counts as a move of these files to
   * their own paths.
   *
   * @param files real paths
   * @throws IOException when a removal there takes too long, or too many calls wait
   */
  public Move drop(List<String> files) throws IOException {
    return begin(files, MOST_WAITING, noDrop(files));
  }

  /**
   * Begins a drop of replicas that never waits.
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
   * @param places maximum number of waiting calls; 0 for a call that does not wait and is never a
   *     part of a removal
   * @param refusal message when the call must not begin
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
