package org.braid.hdfs.testkit.job;

/**
 * A job that is to run.
 *
 * @param kind name of a {@link JobKind}
 * @param input a file or a directory of text
 * @param output the directory of its results, which is replaced
 * @param pattern what grep looks for
 * @param shuffle bytes that a replay shuffles, as a share of its input
 * @param written bytes that a replay writes, as a share of its input
 * @param reducers number of reduce tasks; 0: the map tasks write
 * @param replication of the results
 */
public record JobSpec(
    String kind,
    String input,
    String output,
    String pattern,
    double shuffle,
    double written,
    int reducers,
    int replication) {
  /** A job without shares to replay, whose results have two replicas. */
  public static JobSpec of(
      JobKind kind, String input, String output, String pattern, int reducers) {
    return new JobSpec(kind.named(), input, output, pattern, 0, 0, reducers, 2);
  }
}
