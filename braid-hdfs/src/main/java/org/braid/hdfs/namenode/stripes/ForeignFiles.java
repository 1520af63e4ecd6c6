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
 * Finds the files whose replicas only HDFS manages: files of HDFS's own erasure coding, and files
 * without any block in a present or upcoming stripe. Answers at once, under the namesystem's write
 * lock.
 */
public final class ForeignFiles {
  /** The known stripes, in memory. */
  interface Stripes {
    /** Whether all stripes are known. */
    boolean isRead();

    /** A counter that grows when a block gets into a stripe. */
    long changes();

    /** Whether a block is in a stripe, will soon be, or may be because that is unknown. */
    boolean concerns(long block);
  }

  /**
   * Identifies the blocks of a file: equal keys mean the same blocks.
   *
   * @param file inode of the file
   * @param blocks the array of the present blocks, which HDFS replaces when it adds blocks;
   *     compared by identity
   * @param past identifies the snapshots that may hold other blocks
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
   * Caches the answers for the files of the last questions. HDFS asks once for each block of a
   * file, and asks in turn for blocks of many files when a node returns. Thread-safe.
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

    /** Keeps the answers for {@code most} files. */
    Answers(int most) {
      this.most = most;
    }

    /** The answer for a file with the same blocks, or null. */
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
   * Whether only HDFS manages a file's replicas. The namesystem's write lock is held.
   *
   * @param file null when the file is unknown; the answer is false then
   */
  public boolean contains(@Nullable INodeFile file) {
    if (file == null) {
      return false;
    }
    return file.isStriped() || isForeign(Blocks.of(file), all(file));
  }

  /**
   * Whether only HDFS manages the replicas of blocks, which are those of a file and of its
   * snapshots.
   */
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
   * The list of blocks of a file, and one for each snapshot that has other blocks. The lists'
   * elements may be read without the lock, the state of the blocks may not.
   *
   * @param inode null and other inodes than files have no blocks
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

  /** The blocks of a file, including those that only its snapshots hold. */
  public static LongStream all(INodeFile file) {
    return lists(file).stream().flatMap(Arrays::stream).mapToLong(Block::getBlockId);
  }
}
