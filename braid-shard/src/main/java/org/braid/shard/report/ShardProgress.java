package org.braid.shard.report;

/** Receives the progress of encoding, decoding and repair. */
public interface ShardProgress {
  /** Ignores all progress. */
  ShardProgress SILENT = (phase, done, total) -> {};

  /**
   * Some bytes are done.
   *
   * @param phase the current work, for example {@code encoding}
   * @param done bytes done of this phase
   * @param total bytes of this phase, at least done
   */
  void at(String phase, long done, long total);
}
