package org.braid.hdfs.api;

/**
 * The stripes to repair, and how.
 *
 * @param path file or directory; {@code /} for everything
 * @param shape {@code star}, {@code ppr}, {@code chain}, {@code racktree} or {@code auto}
 * @param parallel stripes at once, at least 1
 * @param sliceBytes bytes of a slice, a positive multiple of 512
 * @param seed of the random choices
 * @param policy how the repairs are scheduled
 * @param progress hears of progress
 */
public record RepairRequest(
    String path,
    String shape,
    int parallel,
    int sliceBytes,
    long seed,
    RepairPolicy policy,
    Progress progress) {
  public RepairRequest {
    requireSlices(parallel, sliceBytes);
  }

  static void requireSlices(int parallel, int sliceBytes) {
    if (parallel < 1 || sliceBytes < 512 || sliceBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "parallel "
              + parallel
              + " must be at least 1, slice "
              + sliceBytes
              + " a multiple of 512");
    }
  }

  /** A request with the configured scheduling. */
  public RepairRequest(
      String path, String shape, int parallel, int sliceBytes, long seed, Progress progress) {
    this(path, shape, parallel, sliceBytes, seed, RepairPolicy.CONFIGURED, progress);
  }

  /** The same with another listener. */
  public RepairRequest withProgress(Progress other) {
    return new RepairRequest(path, shape, parallel, sliceBytes, seed, policy, other);
  }
}
