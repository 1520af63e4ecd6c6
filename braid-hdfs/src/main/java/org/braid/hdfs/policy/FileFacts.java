package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * What policies know of a file.
 *
 * @param bytes its length
 * @param modified when it was modified last
 * @param accessed when it was read or modified last, as far as that is known; empty where reads are
 *     not known
 * @param reads from when until when reads are known
 */
public record FileFacts(
    String path,
    long bytes,
    int blocks,
    String owner,
    Instant modified,
    Optional<Instant> accessed,
    KnownReads reads) {
  /** The same if logs are imported from now on without a gap. */
  FileFacts continued() {
    return new FileFacts(path, bytes, blocks, owner, modified, accessed, reads.continued());
  }
}
