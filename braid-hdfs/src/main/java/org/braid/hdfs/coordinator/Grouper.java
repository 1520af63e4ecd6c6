package org.braid.hdfs.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.ErasureCode;
import org.braid.engine.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;

/**
 * Groups blocks into stripes. Files of k blocks and more form stripes of their own, block by block
 * in file order, as encoding-aware replication placed them; their tail is a shorter stripe. Smaller
 * files of one directory and with the same readers share stripes, whole files of similar block
 * lengths together.
 */
final class Grouper {
  private final ErasureCode code;
  private final int k;

  Grouper(ErasureCode code) {
    this.code = code;
    this.k = code.k();
  }

  /** A block that becomes data of a stripe. */
  record DataBlock(FileProto file, int index, BlockStatusProto status) {
    long length() {
      return status.getBlock().getLength();
    }
  }

  /** The data of a stripe to come, 1 to k blocks. */
  record Group(List<DataBlock> blocks) {
    Group {
      blocks = List.copyOf(blocks);
    }

    long length() {
      return blocks.stream().mapToLong(DataBlock::length).max().orElse(0);
    }

    Collection<FileProto> files() {
      Map<Long, FileProto> files = new LinkedHashMap<>();
      blocks.forEach(b -> files.put(b.file().getInode(), b.file()));
      return files.values();
    }
  }

  /**
   * Groups the blocks of some files that are in no stripe yet.
   *
   * @param stripes of the blocks that are in one
   */
  List<Group> group(List<FileProto> files, StripeMap stripes) {
    List<Group> groups = new ArrayList<>();
    Map<String, List<FileProto>> small = new TreeMap<>();
    for (FileProto file : files) {
      boolean untouched = file.getBlocksList().stream().noneMatch(stripes::holds);
      if (file.getBlocksCount() < k && untouched) {
        String together = parent(file.getPath()) + '\n' + file.getReaders();
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

  private List<Group> within(FileProto file, StripeMap stripes) {
    List<Group> groups = new ArrayList<>();
    for (int from = 0; from < file.getBlocksCount(); from += k) {
      List<DataBlock> blocks = new ArrayList<>();
      for (int i = from; i < Math.min(file.getBlocksCount(), from + k); i++) {
        if (!stripes.holds(file.getBlocks(i))) {
          blocks.add(new DataBlock(file, i, file.getBlocks(i)));
        }
      }
      if (!blocks.isEmpty()) {
        groups.add(new Group(blocks));
      }
    }
    return groups;
  }

  private List<Group> across(List<FileProto> siblings) {
    List<FileProto> sorted = new ArrayList<>(siblings);
    sorted.sort(
        Comparator.comparingLong(Grouper::longestBlock)
            .reversed()
            .thenComparing(FileProto::getPath));
    List<Group> groups = new ArrayList<>();
    List<DataBlock> open = new ArrayList<>();
    for (FileProto file : sorted) {
      if (open.size() + file.getBlocksCount() > k) {
        groups.add(new Group(open));
        open = new ArrayList<>();
      }
      for (int i = 0; i < file.getBlocksCount(); i++) {
        open.add(new DataBlock(file, i, file.getBlocks(i)));
      }
    }
    if (!open.isEmpty()) {
      groups.add(new Group(open));
    }
    return groups;
  }

  private static long longestBlock(FileProto file) {
    return file.getBlocksList().stream().mapToLong(b -> b.getBlock().getLength()).max().orElse(0);
  }

  /**
   * Bytes that some groups take once they are stripes, beside what their replicas take now; a file
   * with one replica is measured as if it had three, since parity gives it what those would.
   */
  record Gain(long replicated, long encoded) {
    boolean pays() {
      return encoded < replicated;
    }
  }

  /** What turning some groups into stripes saves. */
  Gain gain(Collection<Group> groups) {
    long replicated = 0;
    long encoded = 0;
    for (Group group : groups) {
      for (DataBlock block : group.blocks()) {
        int replication = block.file().getReplication();
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
