package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;

/**
 * The files whose replicas a restoration waits for. If a user lowers a file's replication
 * meanwhile, the new replication is enough; a file whose replication is then 1 is skipped.
 */
final class AwaitedFiles {
  private final Map<Long, Integer> wanted = new LinkedHashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final Map<Long, Skipped> skipped = new LinkedHashMap<>();
  private long replicas;
  private long total;
  private boolean copied;

  /** The numbers of files that lack replicas. */
  private List<Long> lacking = List.of();

  /**
   * Adds a file that is to have some replicas of each block. A file that is to have one replica
   * keeps its parity and is reported: the NameNode never removes the parity of such a file.
   */
  void add(StoredFile file, int replication) {
    files.put(file.inode(), file);
    if (replication > 1) {
      wanted.put(file.inode(), replication);
    } else {
      skip(
          file.inode(),
          "ONE_REPLICA",
          "it had one replica when it was converted, so that its parity stays, which alone protects"
              + " it: give it replicas (hdfs dfs -setrep 3), then restore it again");
    }
  }

  /** The inodes of awaited files that a listing lacks because users renamed them meanwhile. */
  Set<Long> unlisted(Collection<StoredFile> now) {
    Set<Long> missing = new LinkedHashSet<>(wanted.keySet());
    now.forEach(file -> missing.remove(file.inode()));
    return missing;
  }

  /** Looks at all files that are there now. */
  void look(Collection<StoredFile> now) {
    Map<Long, StoredFile> present = new HashMap<>();
    now.forEach(file -> present.put(file.inode(), file));
    replicas = 0;
    total = 0;
    copied = false;
    List<Long> lack = new ArrayList<>();
    wanted.forEach(
        (inode, replication) -> {
          StoredFile file = present.get(inode);
          if (file == null) {
            skip(inode, "GONE", "it was deleted meanwhile");
          } else if (file.replication() == 1 && replication > 1) {
            skip(
                inode,
                "CHANGED",
                "its replication was set to 1 meanwhile, %d was to be restored: it keeps its parity"
                    .formatted(replication));
          } else {
            files.put(inode, file);
            look(file, Math.min(replication, file.replication()), lack);
          }
        });
    wanted.keySet().removeAll(skipped.keySet());
    lacking = List.copyOf(lack);
  }

  private void look(StoredFile file, int aim, List<Long> lack) {
    boolean whole = true;
    for (BlockStatus block : file.blocks()) {
      if (!block.complete()) {
        continue; // its writer has all its copies in hand
      }
      long live = live(block);
      replicas += Math.min(live, aim);
      total += aim;
      whole &= live >= aim;
      copied |= live > 0 && live < aim;
    }
    if (!whole) {
      lack.add(file.inode());
    }
  }

  /**
   * Stops waiting for the files that lack replicas. The other files are restored all the same.
   *
   * @param seconds for which no replica came
   */
  void giveUp(long seconds) {
    leaveLacking(
        (inode, least, aim) -> {
          if (least == 0) {
            skip(
                inode,
                "BLOCKS_LOST",
                "a block of it has no copy any more; its parity stays: run braid repair, then braid"
                    + " restore again");
          } else {
            skip(
                inode,
                "TOO_FEW_REPLICAS",
                ("a block of it has %d of %d replicas, and HDFS has made none for %d s; its parity"
                        + " stays where a block has one copy: run braid restore again")
                    .formatted(least, aim, seconds));
          }
        });
  }

  /**
   * Postpones the files that lack replicas, as other files wait for their turn. HDFS goes on
   * copying.
   *
   * @param seconds how long they were awaited
   */
  void postpone(long seconds) {
    leaveLacking(
        (inode, least, aim) ->
            skip(
                inode,
                "REPLICATING",
                ("a block of it has %d of %d replicas after %d s; its parity stays where a block has"
                        + " one copy: HDFS goes on copying, and the next restoration finishes")
                    .formatted(least, aim, seconds)));
  }

  /** Skips a file. */
  private interface Leaver {
    /**
     * Skips it.
     *
     * @param least replicas of the block that has the fewest
     * @param aim replicas that each block was to have
     */
    void leave(long inode, long least, int aim);
  }

  private void leaveLacking(Leaver leaver) {
    for (long inode : lacking) {
      StoredFile file = file(inode);
      int aim = Math.min(Objects.requireNonNull(wanted.get(inode)), file.replication());
      long least = file.blocks().stream().mapToLong(AwaitedFiles::live).min().orElse(0);
      leaver.leave(inode, least, aim);
    }
    wanted.keySet().removeAll(skipped.keySet());
    lacking = List.of();
  }

  /** The copies of a block that count: HDFS makes others for those that are corrupt. */
  private static long live(BlockStatus block) {
    return block.complete()
        ? block.replicas().stream().filter(Replica::isGood).count()
        : Long.MAX_VALUE;
  }

  private void skip(long inode, String cause, String reason) {
    skipped.put(inode, new Skipped(file(inode).path(), cause, reason));
  }

  private StoredFile file(long inode) {
    return Objects.requireNonNull(files.get(inode));
  }

  /** Number of awaited replicas that exist. */
  long replicas() {
    return replicas;
  }

  /** Number of awaited replicas. */
  long total() {
    return total;
  }

  /** Whether any block that lacks replicas has a replica to copy from. */
  boolean isCopied() {
    return copied;
  }

  /** The paths of files that lack replicas. */
  List<String> open() {
    return lacking.stream().map(inode -> file(inode).path()).toList();
  }

  /** The files that were not skipped, as last listed. */
  List<StoredFile> awaited() {
    return wanted.keySet().stream().map(this::file).toList();
  }

  /** The files that are no longer awaited, because they changed or were given up. */
  List<Skipped> skipped() {
    return List.copyOf(skipped.values());
  }

  /** Results for the files that were not skipped. */
  List<Restored> restored() {
    List<Restored> restored = new ArrayList<>();
    wanted.forEach(
        (inode, replication) -> {
          StoredFile file = file(inode);
          restored.add(
              new Restored(
                  file.path(), file.blocks().size(), Math.min(replication, file.replication())));
        });
    return restored;
  }
}
