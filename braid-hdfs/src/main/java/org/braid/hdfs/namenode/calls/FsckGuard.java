package org.braid.hdfs.namenode.calls;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.namenode.stripes.ForeignFiles;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Keeps HDFS's {@code fsck} from deleting or moving files whose blocks stripes can rebuild. HDFS
 * takes blocks without a replica for lost and removes their files within the NameNode, where no
 * guard is called. So such a run may not begin where there are converted files or parity. While it
 * runs, conversion is off below its path, and no converted file may be moved there. If this cannot
 * be ensured, the run is stopped before it deletes another file.
 */
public final class FsckGuard {
  private static final long POLL_MILLIS = 20;

  /** Files, directories and blocks looked at in one hold of the lock. */
  private static final int CHUNK = 1000;

  /** The most of them that a move is looked at for. */
  private static final int MOST_MOVED = 1000 * CHUNK;

  /** A stripe costs as much to look at as so many of them. */
  private static final int LOOKS_A_STRIPE = 8;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final RealPaths paths;
  private final OpenWrites open;
  private final long waitMillis;
  private final Set<Run> runs = ConcurrentHashMap.newKeySet();
  private final Set<Move> moves = ConcurrentHashMap.newKeySet();

  /**
   * Starts without runs.
   *
   * @param open gets the begin and end of each run
   * @param waitMillis maximum wait of a run for moves that began before it
   */
  public FsckGuard(NameNodeHost host, StripeIndex index, OpenWrites open, long waitMillis) {
    this.host = host;
    this.index = index;
    this.paths = new RealPaths(host);
    this.open = open;
    this.waitMillis = waitMillis;
  }

  /** A run of {@code fsck} that deletes or moves files, from before the first check to its end. */
  final class Run implements OpenWrites.Fsck, Closeable {
    private final String path;
    private final String top;
    private final boolean active;
    private final long since;

    /** Moves that may not know of it. */
    private Set<Move> before = Set.of();

    private volatile boolean overtaken;

    private Run(String path, String top) {
      this.path = path;
      this.top = top;
      this.active = host.nameNode().isActiveState();
      this.since = host.term();
    }

    @Override
    public boolean reaches(String file) throws IOException {
      return RealPaths.isAtOrBelow(file, top)
          || RealPaths.isAtOrBelow(file, paths.whereUnderLock(path))
          || moves.stream().anyMatch(move -> move.leadsTo(this));
    }

    /** Whether its path overlaps another one; it may have moved since it began. */
    private boolean overlaps(String other) throws IOException {
      return RealPaths.overlap(other, top) || RealPaths.overlap(other, paths.where(path));
    }

    /** The reason why the run must delete no more files; empty while there is none. */
    Optional<String> stopped() {
      if (overtaken) {
        return Optional.of(
            "Braid stops fsck: a converted file was moved to where it looks; run it again");
      }
      return active && host.nameNode().isActiveState() && since == host.term()
          ? Optional.empty()
          : Optional.of(
              "Braid stops fsck: files are deleted or moved by the active NameNode only, and others"
                  + " may have been active meanwhile; run it again");
    }

    @Override
    public void close() {
      if (runs.remove(this)) {
        open.endFsck(this);
      }
    }
  }

  /** A call that changes the path of files, from before the first check to its end. */
  final class Move implements Closeable {
    private final List<String> from;
    private final String to;
    private final Set<Run> towards = ConcurrentHashMap.newKeySet();

    private Move(List<String> from, String to) {
      this.from = List.copyOf(from);
      this.to = to;
    }

    private boolean leadsTo(Run run) {
      return towards.contains(run);
    }

    /**
     * The reason against the call: no converted file may be moved below the path of a run of {@code
     * fsck}. Empty if there is none.
     */
    Optional<String> against() throws IOException {
      if (runs.isEmpty()) {
        return Optional.empty();
      }
      String target = paths.where(to);
      for (Run run : runs) {
        if (run.overlaps(target)) {
          towards.add(run); // before the look: nothing that it moves is trimmed after it
          for (String path : from) {
            if (mayMove(path) && holdsEncoded(path)) {
              return Optional.of(
                  "%s cannot be moved to %s while hdfs fsck -delete or -move runs %s: it would take what is converted for lost; try again when it has ended"
                      .formatted(
                          path,
                          to,
                          host.isSuperuser(NameNode.getRemoteUser())
                              ? "at " + run.path
                              : "above or below it"));
            }
          }
        }
      }
      return Optional.empty();
    }

    /**
     * Notes that HDFS has made the move; it may have moved another file than the one that was
     * checked.
     */
    void made() throws IOException {
      if (!towards.isEmpty() && holdsEncoded(to)) {
        towards.forEach(run -> run.overtaken = true);
      }
    }

    @Override
    public void close() {
      moves.remove(this);
    }
  }

  /** Begins a run of {@code fsck} that deletes or moves files below a path. */
  Run begin(String path) throws IOException {
    Run run = new Run(path, paths.where(path));
    open.beginFsck(run);
    runs.add(run);
    run.before = Set.copyOf(moves);
    return run;
  }

  /**
   * The reason against a run, which may hold even while no block is lost: a node may die during the
   * run.
   *
   * @return empty if the run is permitted until it is closed
   */
  Optional<String> against(Run run) throws IOException {
    Optional<String> stopped = run.stopped();
    if (stopped.isPresent()) {
      return stopped;
    }
    // As HDFS refuses it, which would look there next.
    Optional<String> hidden = refused(caller -> caller.checkListing(run.path));
    if (hidden.isPresent()) {
      return hidden;
    }
    index.ensure();
    if (index.size() > 0 && !host.blocks().isPopulatingReplQueues()) {
      return Optional.of(
          "Braid refuses to delete or move files while the NameNode does not know all replicas yet:"
              + " leave safe mode first");
    }
    if (index.size() > 0 && !movesHaveEnded(run.before)) {
      return Optional.of(
          "Braid refuses to have files deleted or moved by fsck: files are being renamed that came"
              + " before it; try again");
    }
    Optional<String> file = converted(run.top);
    // Those below the path have been looked for by now, also where they could be read before.
    long unreadable = index.hidden().count();
    if (unreadable > 0) {
      return Optional.of(
          "Braid refuses to have files deleted or moved by fsck: descriptions of %d stripes cannot be read, so that nobody knows all files that are converted; braid status names them"
              .formatted(unreadable));
    }
    if (file.isPresent()) {
      return Optional.of(
          "Braid refuses to have files below %s deleted or moved by fsck: %s are converted, and braid repair rebuilds what fsck takes for lost; braid fsck --list says what is lost for good, hdfs dfs -rm deletes that"
              .formatted(
                  run.path,
                  host.isSuperuser(NameNode.getRemoteUser())
                      ? file.get() + " and perhaps others"
                      : "some"));
    }
    int parity = RealPaths.overlap(run.top, BraidPaths.STRIPES) ? index.countBelow(run.top) : 0;
    return parity == 0
        ? Optional.empty()
        : Optional.of(
            "Braid refuses to have files below %s deleted or moved by fsck: the parity of %d stripes is there, from which lost blocks are rebuilt and which braid repair rebuilds itself"
                .formatted(run.path, parity));
  }

  /** What HDFS checks of the present caller, under the lock. */
  @FunctionalInterface
  private interface Check {
    void by(CallerRights caller) throws IOException;
  }

  /** Why HDFS refuses the present caller something; empty when it does not. */
  private Optional<String> refused(Check check) throws IOException {
    CallerRights caller = CallerRights.of(host);
    try {
      host.readingFiles(
          "braidFsck",
          () -> {
            check.by(caller);
            return true;
          });
      return Optional.empty();
    } catch (AccessControlException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (FileNotFoundException | InvalidPathException e) {
      return Optional.empty(); // HDFS says so itself
    }
  }

  /** Whether HDFS may permit the present caller to move something; else it says why not itself. */
  private boolean mayMove(String path) throws IOException {
    return refused(caller -> caller.checkMove(path)).isEmpty();
  }

  /** Waits for calls that may not have seen that a {@code fsck} began. */
  private boolean movesHaveEnded(Set<Move> before) throws IOException {
    long end = Time.monotonicNow() + waitMillis;
    try {
      while (before.stream().anyMatch(moves::contains)) {
        if (Time.monotonicNow() > end) {
          return false;
        }
        Thread.sleep(POLL_MILLIS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the NameNode is stopping");
    }
  }

  /**
   * Begins a call that changes the path of files.
   *
   * @param from paths of the files
   */
  Move move(List<String> from, String to) {
    Move move = new Move(from, to);
    moves.add(move);
    return move;
  }

  /** Whether blocks of a file, or of one below a directory, are in stripes, or may be. */
  private boolean holdsEncoded(String path) throws IOException {
    index.ensure();
    Search search = new Search("braidMove", path, this::isEncoded);
    return !search.ends(MOST_MOVED) || search.found != null; // else nobody knows
  }

  private boolean isEncoded(INodeFile file) {
    if (file.getFileReplication() == 1 && index.hasUnknownBlocks()) {
      return true;
    }
    for (BlockInfo block : file.getBlocks()) {
      if (index.known(block.getBlockId()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** A condition on files. */
  @FunctionalInterface
  private interface Condition {
    /** Whether it holds for a file; the lock is held. */
    boolean of(INodeFile file) throws IOException;
  }

  /** Looks at a file, or at those below a directory, until one meets a condition. */
  private final class Search {
    private final String what;
    private final String path;
    private final Condition condition;
    private @Nullable TreeCursor cursor;
    private long looked;
    private @Nullable String found;

    /**
     * Starts a search.
     *
     * @param what purpose of the holds, which the NameNode reports
     */
    Search(String what, String path, Condition condition) {
      this.what = what;
      this.path = path;
      this.condition = condition;
    }

    /**
     * Goes on to the end.
     *
     * @param most files, directories and blocks that are looked at
     * @return false when there are more
     */
    boolean ends(long most) throws IOException {
      while (looked < most) {
        if (host.reading(what, this::step)) {
          return true;
        }
      }
      return false;
    }

    /** Looks at some more; answers whether that was all. The lock is held. */
    private boolean step() throws IOException {
      TreeCursor below = cursor;
      if (below == null) {
        INode top = host.inode(path);
        if (top == null) {
          return true;
        }
        below = new TreeCursor(host.namesystem().getFSDirectory(), top);
        cursor = below;
      }
      for (long end = looked + CHUNK; looked < end; ) {
        Optional<INode> next = below.next();
        if (next.isEmpty()) {
          return true;
        }
        looked++;
        if (next.get().isFile()) {
          INodeFile file = next.get().asFile();
          looked += file.numBlocks();
          if (condition.of(file)) {
            found = file.getFullPathName();
            return true;
          }
        }
      }
      return false;
    }
  }

  /**
   * A file at or below a path that has a data block in a stripe. It is looked for where there is
   * less: below the path, or among all stripes. Nothing that is converted comes below the path
   * meanwhile, so that none is missed.
   */
  private Optional<String> converted(String top) throws IOException {
    Search search = new Search("braidFsck", top, this::hasDataInStripe);
    if (search.ends(Math.max(CHUNK, (long) LOOKS_A_STRIPE * index.size()))) {
      return Optional.ofNullable(search.found);
    }
    AtomicReference<String> found = new AtomicReference<>();
    index.visit(
        "braidFsck",
        "",
        entry -> {
          found.set(converted(top, entry));
          return found.get() == null;
        });
    return Optional.ofNullable(found.get());
  }

  /** Whether a block of a file, as it is or as a snapshot has it, is data of a stripe. */
  private boolean hasDataInStripe(INodeFile file) throws IOException {
    for (long block : ForeignFiles.all(file).toArray()) {
      for (Entry entry : index.all(block)) {
        for (Member member : entry.stripe().members()) {
          if (!member.isVirtual() && member.block().id() == block) {
            Optional<Held> held = StripeReader.owned(host, member);
            if (held.isPresent() && isData(held.get(), entry) && file.equals(held.get().file())) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  private static boolean isData(Held held, Entry entry) {
    return held.file().getId() != entry.inode();
  }

  private @Nullable String converted(String top, Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isPresent() && isData(held.get(), entry)) {
        String file = held.get().file().getFullPathName();
        if (RealPaths.isAtOrBelow(file, top)) {
          return file;
        }
      }
    }
    return null;
  }
}
