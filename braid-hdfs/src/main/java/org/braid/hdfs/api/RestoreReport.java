package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.List;

/**
 * What a restoration did. Of many files the lists are {@link SpilledList}s.
 *
 * @param files files that are replicated again, now or earlier
 * @param skipped left as they were, with the reason
 * @param parityFilesDeleted deleted parity files, which were no longer needed
 * @param storageBefore bytes of all replicas and parity of these files before
 * @param storageAfter the same after
 * @param seconds wall time
 */
public record RestoreReport(
    List<Restored> files,
    List<ConvertReport.Skipped> skipped,
    int parityFilesDeleted,
    long storageBefore,
    long storageAfter,
    double seconds) {

  /** A file that is replicated again. */
  public record Restored(String path, int blocks, int replication) implements Serializable {}
}
