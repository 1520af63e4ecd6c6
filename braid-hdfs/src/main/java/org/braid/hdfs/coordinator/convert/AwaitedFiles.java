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
 * The files whose replicas a restoration waits for. Users may change their replication meanwhile:
 * what they ask for is enough.
 */
final class AwaitedFiles {
  private final Map<Long, Integer> wanted = new LinkedHashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final Map<Long, Skipped> skipped = new LinkedHashMap<>();
  private long replicas;
  private long total;
  private boolean copied;
  private List<String> open = List.of();

  /** A file is to have some replicas of each block. */
  void add(StoredFile file, int replication) {
    wanted.put(file.inode(), replication);
    files.put(file.inode(), file);
  }

  /** The numbers of files that a listing has not, as users rename while it is made. */
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
    List<String> lacking = new ArrayList<>();
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
            look(file, Math.min(replication, file.replication()), lacking);
          }
        });
    wanted.keySet().removeAll(skipped.keySet());
    open = List.copyOf(lacking);
  }

  private void look(StoredFile file, int aim, List<String> lacking) {
    boolean whole = true;
    for (BlockStatus block : file.blocks()) {
      if (!block.complete()) {
        continue; // its writer has all its copies in hand
      }
      long live = block.replicas().stream().filter(Replica::live).count();
      replicas += Math.min(live, aim);
      total += aim;
      whole &= live >= aim;
      copied |= live > 0 && live < aim;
    }
    if (!whole) {
      lacking.add(file.path());
    }
  }

  private void skip(long inode, String cause, String reason) {
    skipped.put(inode, new Skipped(file(inode).path(), cause, reason));
  }

  private StoredFile file(long inode) {
    return Objects.requireNonNull(files.get(inode));
  }

  /** The replicas that there are, of those waited for. */
  long replicas() {
    return replicas;
  }

  /** The replicas that are waited for. */
  long total() {
    return total;
  }

  /** Whether any block that lacks replicas has one to be copied. */
  boolean isCopied() {
    return copied;
  }

  /** The paths of files that lack replicas. */
  List<String> open() {
    return open;
  }

  /** The files that have what was asked for, as they were seen last. */
  List<StoredFile> awaited() {
    return wanted.keySet().stream().map(this::file).toList();
  }

  /** The files that were changed so that they are waited for no more. */
  List<Skipped> skipped() {
    return List.copyOf(skipped.values());
  }

  /** What became of the files that are waited for. */
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
