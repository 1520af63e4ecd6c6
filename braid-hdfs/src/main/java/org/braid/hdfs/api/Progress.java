package org.braid.hdfs.api;

/** Hears of the progress of long work. Called from several threads. */
public interface Progress {
  /** Hears nothing. */
  Progress SILENT = (phase, done, total) -> {};

  /**
   * Reports progress.
   *
   * @param phase the kind of work, for example {@code encoding}
   * @param done units done of this phase
   * @param total units of this phase, at least done
   */
  void at(String phase, long done, long total);
}
