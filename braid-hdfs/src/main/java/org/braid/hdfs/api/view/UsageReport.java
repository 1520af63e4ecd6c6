package org.braid.hdfs.api.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The storage that files take, for accounting. The parity of a stripe is divided among the files
 * with blocks in it now, in proportion to the bytes of these blocks.
 *
 * @param path the requested path
 * @param total the sum of all files
 * @param rows the rows by directory, each with all files below it, or by owner; sorted by name
 * @param unsupported number of stripes that this version of Braid cannot use, whose parity is not
 *     counted
 * @param hidden number of files and directories that are not counted because this user may not read
 *     them or may not see their stripes; null for a superuser, who sees all
 */
public record UsageReport(
    String path, Row total, List<Row> rows, int unsupported, @Nullable Integer hidden) {
  public UsageReport {
    rows = List.copyOf(rows);
  }

  /**
   * The storage that some files take.
   *
   * @param name a directory or an owner
   * @param contentBytes bytes of their contents
   * @param storedBytes bytes of their replicas and of their share of parity
   * @param parityBytes bytes of parity among these
   * @param replicatedBytes bytes of their replicas if no block were in a stripe
   */
  public record Row(
      String name,
      long files,
      long contentBytes,
      long storedBytes,
      long parityBytes,
      long replicatedBytes) {
    /** Bytes that conversion saves; negative where parity takes more than it frees. */
    public long savedBytes() {
      return replicatedBytes - storedBytes;
    }
  }
}
