package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * What policies know of a file.
 *
 * @param bytes its length
 * @param modified when it was modified last
 * @param accessed when it was read or modified last; empty where HDFS does not record reads
 */
public record FileFacts(
    String path,
    long bytes,
    int blocks,
    String owner,
    Instant modified,
    Optional<Instant> accessed) {}
