package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/** Bytes of all replicas of files and of the parity that protects them, batch by batch. */
final class StoredBytes {
  /** Parity files of stripes that files of other batches share. */
  private final Set<Long> shared = new HashSet<>();

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
      if (inBatch || shared.add(status.parityInode())) {
        bytes += status.stripe().parityBytes();
      }
    }
  }

  long bytes() {
    return bytes;
  }
}
