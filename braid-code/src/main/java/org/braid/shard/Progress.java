package org.braid.shard;

/** Hears how far long work has come. */
public interface Progress {
  /** Hears nothing. */
  Progress SILENT = (phase, done, total) -> {};

  /**
   * Something was done.
   *
   * @param phase what is being done, for example {@code encoding}
   * @param done bytes done of this phase
   * @param total bytes of this phase, at least done
   */
  void at(String phase, long done, long total);
}
