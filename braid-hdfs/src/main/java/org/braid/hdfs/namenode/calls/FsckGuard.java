package org.braid.hdfs.namenode.calls;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.OpenWrites;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Keeps HDFS's {@code fsck} from deleting or moving files that stripes can give back. It takes
 * blocks without a copy for lost, and removes their files within the NameNode, where nobody is
 * asked: so it may not begin where converted files or parity are, nothing is converted while it
 * runs, and no converted file comes below its path meanwhile.
 */
public final class FsckGuard {
  private static final long POLL_MILLIS = 20;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final OpenWrites open;
  private final long waitMillis;
  private final Set<Run> runs = ConcurrentHashMap.newKeySet();
  private final Set<Move> moves = ConcurrentHashMap.newKeySet();

  /**
   * Nothing runs yet.
   *
   * @param open is told of each {@code fsck}
   * @param waitMillis how long one waits for moves that came before it
   */
  public FsckGuard(NameNodeHost host, StripeIndex index, OpenWrites open, long waitMillis) {
    this.host = host;
    this.index = index;
    this.open = open;
    this.waitMillis = waitMillis;
  }

  /** A {@code fsck} that deletes or moves files, from before anything is looked at to its end. */
  final class Run implements Closeable {
    private final String path;
    private final String top;

    /** Moves that may not know of it. */
    private Set<Move> before = Set.of();

    private Run(String path, String top) {
      this.path = path;
      this.top = top;
    }

    @Override
    public void close() {
      if (runs.remove(this)) {
        open.endFsck();
      }
    }
  }

  /** A call that gives files another path, from before anything is looked at to its end. */
  final class Move implements Closeable {
    private Move() {}

    @Override
    public void close() {
      moves.remove(this);
    }
  }

  /** A {@code fsck} begins that deletes or moves files below a path. */
  Run begin(String path) throws IOException {
    Run run = new Run(path, where(path));
    open.beginFsck();
    runs.add(run);
    run.before = Set.copyOf(moves);
    return run;
  }

  /**
   * Why it may not go on. Also where no block is lost yet: a node may die while it runs.
   *
   * @return empty where it may, until it is closed
   */
  Optional<String> against(Run run) throws IOException {
    index.ensure();
    if (index.size() > 0 && !host.blocks().isPopulatingReplQueues()) {
      return Optional.of(
          "Braid refuses to delete or move files while the NameNode does not know all replicas yet:"
              + " leave safe mode first");
    }
    if (!movesHaveEnded(run.before)) {
      return Optional.of(
          "Braid refuses to have files deleted or moved by fsck: files are being renamed that came"
              + " before it; try again");
    }
    Optional<String> file = converted(run.top);
    if (file.isPresent()) {
      return Optional.of(
          "Braid refuses to have files below %s deleted or moved by fsck: %s and perhaps others are converted, and braid repair rebuilds what fsck takes for lost; braid fsck --list says what is lost for good, hdfs dfs -rm deletes that"
              .formatted(run.path, file.get()));
    }
    // Looked for by now: those that were read before, too.
    if (!index.hidden().isEmpty()) {
      return Optional.of(
          "Braid refuses to have files deleted or moved by fsck: descriptions of %d stripes cannot be read, so that nobody knows all files that are converted; braid status names them"
              .formatted(index.hidden().size()));
    }
    int parity = overlap(run.top, BraidPaths.STRIPES) ? index.countBelow(run.top) : 0;
    return parity == 0
        ? Optional.empty()
        : Optional.of(
            "Braid refuses to have files below %s deleted or moved by fsck: the parity of %d stripes is there, from which lost blocks are rebuilt and which braid repair rebuilds itself"
                .formatted(run.path, parity));
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

  /** A call begins that gives files another path; whoever closes it has made it, or has not. */
  Move move() {
    Move move = new Move();
    moves.add(move);
    return move;
  }

  /**
   * Why a move that has begun may not be made: what is converted must not come below the path of a
   * {@code fsck} that runs.
   *
   * @param from what moves
   */
  Optional<String> against(List<String> from, String to) throws IOException {
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    String target = where(to);
    for (Run run : runs) {
      if (overlap(target, run.top) || overlap(target, where(run.path))) {
        for (String path : from) {
          if (holdsEncoded(path)) {
            return Optional.of(
                "%s cannot be moved to %s while hdfs fsck -delete or -move runs at %s: it would take what is converted for lost; try again when it has ended"
                    .formatted(path, to, run.path));
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean holdsEncoded(String path) throws IOException {
    index.ensure();
    if (index.hasUnknownBlocks()) {
      return true;
    }
    AtomicReference<INode> found = new AtomicReference<>();
    boolean encoded =
        host.reading(
            "braidMove",
            () -> {
              INode inode = host.inode(path);
              found.set(inode);
              if (inode != null && inode.isFile()) {
                for (BlockInfo block : inode.asFile().getBlocks()) {
                  if (index.known(block.getBlockId()).isPresent()) {
                    return true;
                  }
                }
              }
              return false;
            });
    INode inode = found.get();
    return encoded || (inode != null && inode.isDirectory() && converted(where(path)).isPresent());
  }

  /** A file at or below a path that has a data block in a stripe. */
  private Optional<String> converted(String top) throws IOException {
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

  private @Nullable String converted(String top, Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent() && held.get().file().getId() != entry.inode()) {
        String file = held.get().file().getFullPathName();
        if (isAtOrBelow(file, top)) {
          return file;
        }
      }
    }
    return null;
  }

  /** Where a path leads, or would if it were there, by HDFS's own names. */
  private String where(String path) throws IOException {
    return host.reading(
        "braidFsck",
        () -> {
          INode inode = host.inode(path);
          if (inode != null) {
            return inode.getFullPathName();
          }
          String plain = StripeGuard.plain(path);
          int name = plain.lastIndexOf('/');
          INode parent = name > 0 ? host.inode(plain.substring(0, name)) : null;
          return parent == null
              ? plain
              : (parent.getFullPathName().equals("/") ? "" : parent.getFullPathName())
                  + plain.substring(name);
        });
  }

  private static boolean overlap(String one, String other) {
    return isAtOrBelow(one, other) || isAtOrBelow(other, one);
  }

  private static boolean isAtOrBelow(String path, String top) {
    return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
  }
}
