package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * The facts about a file that policies decide by.
 *
 * @param bytes its length
 * @param modified when it was modified last
 * @param accessed the last known read or modification; empty when reads are not known
 * @param reads the begin and end of the known reads
 */
public record FileFacts(
    String path,
    long bytes,
    int blocks,
    String owner,
    Instant modified,
    Optional<Instant> accessed,
    KnownReads reads) {
  /** The same under the assumption that logs are imported from now on without a gap. */
  FileFacts continued() {
    return new FileFacts(path, bytes, blocks, owner, modified, accessed, reads.continued());
  }
}
