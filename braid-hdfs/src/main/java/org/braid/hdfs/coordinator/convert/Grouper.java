package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.ErasureCode;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StoredFile;

/**
 * Groups blocks into stripes. Files of k blocks and more form stripes of their own, block by block
 * in file order, as encoding-aware replication placed them; their tail is a shorter stripe. Smaller
 * files of one directory, with the same readers and the same storage policy, share stripes, whole
 * files of similar block lengths together.
 */
final class Grouper {
  private final ErasureCode code;
  private final int k;

  Grouper(ErasureCode code) {
    this.code = code;
    this.k = code.k();
  }

  /** A block that becomes data of a stripe. */
  record DataBlock(StoredFile file, int index, BlockStatus status) {
    long length() {
      return status.block().length();
    }
  }

  /** The data of a future stripe, 1 to k blocks. */
  record Group(List<DataBlock> blocks) {
    Group {
      blocks = List.copyOf(blocks);
    }

    long length() {
      return blocks.stream().mapToLong(DataBlock::length).max().orElse(0);
    }

    /** The storage policy of all its files. */
    StoragePolicy storage() {
      return blocks.get(0).file().storage();
    }

    /** The storage types that its blocks need. */
    StorageNeed need() {
      return StorageNeed.ofNewBlocks(storage());
    }

    Collection<StoredFile> files() {
      Map<Long, StoredFile> files = new LinkedHashMap<>();
      blocks.forEach(b -> files.put(b.file().inode(), b.file()));
      return files.values();
    }
  }

  /**
   * Groups the blocks of files that are not yet in a stripe.
   *
   * @param stripes the stripes of the other blocks
   */
  List<Group> group(List<StoredFile> files, StripeMap stripes) {
    List<Group> groups = new ArrayList<>();
    Map<String, List<StoredFile>> small = new TreeMap<>();
    for (StoredFile file : files) {
      boolean untouched = file.blocks().stream().noneMatch(stripes::holds);
      if (file.blocks().size() < k && untouched) {
        String together = parent(file.path()) + '\n' + file.sharing();
        small.computeIfAbsent(together, p -> new ArrayList<>()).add(file);
      } else {
        groups.addAll(within(file, stripes));
      }
    }
    small.values().forEach(siblings -> groups.addAll(across(siblings)));
    return groups;
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  private List<Group> within(StoredFile file, StripeMap stripes) {
    List<Group> groups = new ArrayList<>();
    for (int from = 0; from < file.blocks().size(); from += k) {
      List<DataBlock> blocks = new ArrayList<>();
      for (int i = from; i < Math.min(file.blocks().size(), from + k); i++) {
        if (!stripes.holds(file.blocks().get(i))) {
          blocks.add(new DataBlock(file, i, file.blocks().get(i)));
        }
      }
      if (!blocks.isEmpty()) {
        groups.add(new Group(blocks));
      }
    }
    return groups;
  }

  private List<Group> across(List<StoredFile> siblings) {
    List<StoredFile> sorted = new ArrayList<>(siblings);
    sorted.sort(
        Comparator.comparingLong(Grouper::longestBlock).reversed().thenComparing(StoredFile::path));
    List<Group> groups = new ArrayList<>();
    List<DataBlock> open = new ArrayList<>();
    for (StoredFile file : sorted) {
      if (open.size() + file.blocks().size() > k) {
        groups.add(new Group(open));
        open = new ArrayList<>();
      }
      for (int i = 0; i < file.blocks().size(); i++) {
        open.add(new DataBlock(file, i, file.blocks().get(i)));
      }
    }
    if (!open.isEmpty()) {
      groups.add(new Group(open));
    }
    return groups;
  }

  private static long longestBlock(StoredFile file) {
    return file.blocks().stream().mapToLong(b -> b.block().length()).max().orElse(0);
  }

  /**
   * Bytes of the replicas of groups now, and of the stripes that they become. A file with one
   * replica counts as if it had three, as parity gives it the same protection.
   */
  record Gain(long replicated, long encoded) {
    boolean pays() {
      return encoded < replicated;
    }
  }

  /** Computes what turning groups into stripes saves. */
  Gain gain(Collection<Group> groups) {
    long replicated = 0;
    long encoded = 0;
    for (Group group : groups) {
      for (DataBlock block : group.blocks()) {
        int replication = block.file().replication();
        replicated += block.length() * (replication == 1 ? 3 : replication);
        encoded += block.length();
      }
      encoded += parityBytes(group);
    }
    return new Gain(replicated, encoded);
  }

  /** Bytes of a group's parity: as long as the longest block, rounded up to whole sub-blocks. */
  long parityBytes(Group group) {
    return code.m() * CellLayout.of(code.alpha(), 1, group.length()).blockLength();
  }
}
