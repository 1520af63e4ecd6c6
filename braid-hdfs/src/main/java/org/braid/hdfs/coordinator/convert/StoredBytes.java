package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/** Bytes of all replicas of files and of the parity that protects them, batch by batch. */
final class StoredBytes {
  /** Stripes shared with files of other batches, by parity file. */
  private final Map<Long, Shared> shared = new HashMap<>();

  private record Shared(long block, long bytes) {}

  private long bytes;

  /** Adds the files of a batch. */
  void add(NameNodeCalls nameNode, List<StoredFile> files) throws IOException {
    add(files, StripeMap.of(nameNode, files));
  }

  /** Adds the files of a batch, with their stripes. */
  void add(List<StoredFile> files, StripeMap stripes) {
    for (StoredFile file : files) {
      for (BlockStatus block : file.blocks()) {
        bytes += block.block().length() * block.replicas().size();
      }
    }
    Set<Long> inodes = files.stream().map(StoredFile::inode).collect(Collectors.toSet());
    for (StripeStatus status : stripes.all()) {
      boolean inBatch =
          status.members().stream()
              .filter(member -> !member.gone() && member.inode() != status.parityInode())
              .allMatch(member -> inodes.contains(member.inode()));
      long parity = status.stripe().parityBytes();
      long block = status.stripe().member(status.stripe().size() - 1).block().id();
      if (inBatch || shared.put(status.parityInode(), new Shared(block, parity)) == null) {
        bytes += parity;
      }
    }
  }

  /** Subtracts the parity of stripes that were deleted since they were added. */
  void forgetDeleted(NameNodeCalls nameNode) throws IOException {
    List<Long> blocks = shared.values().stream().map(Shared::block).toList();
    nameNode.stripesOf(blocks).forEach(status -> shared.remove(status.parityInode()));
    bytes -= shared.values().stream().mapToLong(Shared::bytes).sum();
    shared.clear();
  }

  long bytes() {
    return bytes;
  }
}
