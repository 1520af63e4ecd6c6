package org.braid.hdfs.namenode.stripes;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.jspecify.annotations.Nullable;

/**
 * Tells which files Braid has nothing to do with: those of HDFS's own erasure coding, and those
 * none of whose blocks is in a stripe or about to be. HDFS alone decides about their replicas.
 * Answers under the namesystem's write lock, at once.
 */
public final class ForeignFiles {
  /** What is known of stripes; an implementation answers from memory. */
  interface Stripes {
    /** Whether all stripes are known. */
    boolean isRead();

    /** Grows whenever a block comes to be in a stripe. */
    long changes();

    /** Whether a block is in a stripe, or about to be, or may be for all that is known. */
    boolean concerns(long block);
  }

  /**
   * Which blocks a file has: the same as long as it is asked about with an equal one.
   *
   * @param file its inode's id
   * @param blocks the object that has the present ones, which HDFS replaces by another one when it
   *     adds some; compared by identity
   * @param past tells apart which snapshots there are that may have others
   */
  record Blocks(long file, Object blocks, long past) {
    static Blocks of(INodeFile file) {
      FileWithSnapshotFeature feature = file.getFileWithSnapshotFeature();
      long past =
          feature == null
              ? 0
              : ((long) feature.getDiffs().getLastSnapshotId() << Integer.SIZE)
                  + feature.getDiffs().asList().size();
      return new Blocks(file.getId(), file.getBlocks(), past);
    }
  }

  /**
   * Answers for the files that were asked about last: HDFS asks once for each of a file's blocks,
   * and for those of many files by turns when a node comes back. Thread-safe.
   */
  static final class Answers<T> {
    /** The usual number of files. One that is gone leaves no more than its answer. */
    static final int MOST = 1024;

    private record Kept<T>(WeakReference<Object> blocks, long past, T answer) {}

    private final int most;

    private final Map<Long, Kept<T>> kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Kept<T>> eldest) {
            return size() > most;
          }
        };

    Answers() {
      this(MOST);
    }

    /** For at most so many files. */
    Answers(int most) {
      this.most = most;
    }

    /** The answer for a file that has the same blocks still, or null. */
    synchronized @Nullable T of(Blocks file) {
      Kept<T> found = kept.get(file.file);
      return found != null && found.blocks.refersTo(file.blocks) && found.past == file.past
          ? found.answer
          : null;
    }

    synchronized void put(Blocks file, T answer) {
      kept.put(file.file, new Kept<>(new WeakReference<>(file.blocks), file.past, answer));
    }

    synchronized void clear() {
      kept.clear();
    }
  }

  /**
   * An answer.
   *
   * @param changes of the stripes when it was given: a file may be foreign until the next one
   * @param one a block because of which the file is not foreign as long as that is so
   */
  private record Answer(long changes, OptionalLong one) {}

  private final Stripes stripes;
  private final Answers<Answer> answers = new Answers<>();

  public ForeignFiles(StripeIndex index) {
    this((Stripes) index);
  }

  ForeignFiles(Stripes stripes) {
    this.stripes = stripes;
  }

  /**
   * Whether Braid has nothing to do with a file. The namesystem's write lock is held.
   *
   * @param file null when it is not known: it may be anyone's
   */
  public boolean contains(@Nullable INodeFile file) {
    if (file == null) {
      return false;
    }
    return file.isStriped() || isForeign(Blocks.of(file), all(file));
  }

  /** The same for the blocks of a file, with those that only snapshots of it have. */
  boolean isForeign(Blocks file, LongStream blocks) {
    if (!stripes.isRead()) {
      return false;
    }
    long changes = stripes.changes();
    Answer present = answers.of(file);
    if (present == null || !holds(present, changes)) {
      present = new Answer(changes, blocks.filter(stripes::concerns).findFirst());
      answers.put(file, present);
    }
    return present.one.isEmpty();
  }

  private boolean holds(Answer answer, long changes) {
    return answer.one.isPresent()
        ? stripes.concerns(answer.one.getAsLong())
        : answer.changes == changes;
  }

  /**
   * The blocks of a file, and for each snapshot that has others those that it has. Which blocks the
   * lists have may be looked at without the lock, what these are now may not.
   *
   * @param inode null, or none of a file, has no blocks
   */
  static List<BlockInfo[]> lists(@Nullable INode inode) {
    if (inode == null || !inode.isFile()) {
      return List.of();
    }
    INodeFile file = inode.asFile();
    List<BlockInfo[]> lists = new ArrayList<>();
    lists.add(file.getBlocks());
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    if (past != null) {
      for (FileDiff diff : past.getDiffs()) {
        BlockInfo[] kept = diff.getBlocks();
        if (kept != null) {
          lists.add(kept);
        }
      }
    }
    return lists;
  }

  /** The blocks of a file, and those that only snapshots of it have. */
  public static LongStream all(INodeFile file) {
    return lists(file).stream().flatMap(Arrays::stream).mapToLong(Block::getBlockId);
  }
}
