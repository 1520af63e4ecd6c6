package org.braid.hdfs.api;

/** Hears how far long work has come. Called from several threads. */
public interface Progress {
  /** Hears nothing. */
  Progress SILENT = (phase, done, total) -> {};

  /**
   * Something was done.
   *
   * @param phase what is being done, for example {@code encoding}
   * @param done units done of this phase
   * @param total units of this phase, at least done
   */
  void at(String phase, long done, long total);
}
