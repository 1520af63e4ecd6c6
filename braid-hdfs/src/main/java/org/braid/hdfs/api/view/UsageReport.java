package org.braid.hdfs.api.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What files take, for those who pay for it. The parity of a stripe is shared by the files that
 * have blocks in it now, in proportion to these blocks' bytes.
 *
 * @param path what was asked for
 * @param total of all files
 * @param rows by directory, each with all below it, or by owner; sorted by name
 * @param unsupported stripes that this version of Braid cannot use, so that their parity is left
 *     out
 * @param hidden files and directories that do not count, as this user may not read them or may not
 *     be told of their stripes; null for a superuser, who sees all
 */
public record UsageReport(
    String path, Row total, List<Row> rows, int unsupported, @Nullable Integer hidden) {
  public UsageReport {
    rows = List.copyOf(rows);
  }

  /**
   * What some files take.
   *
   * @param name a directory or an owner
   * @param contentBytes bytes of their contents
   * @param storedBytes bytes of their replicas and of their share of parity
   * @param parityBytes of these, parity
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
