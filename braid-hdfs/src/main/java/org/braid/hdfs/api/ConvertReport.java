package org.braid.hdfs.api;

import java.util.List;

/**
 * What a conversion did.
 *
 * @param code the code's name
 * @param files converted now or found converted
 * @param skipped left as they were, with the reason
 * @param stripes stripes written now
 * @param dataBlocks data blocks of these stripes
 * @param parityBlocks parity blocks written
 * @param crossRackDataBlocks data blocks that an encoding node read from another rack
 * @param relocatedBlocks data blocks that had to move to keep the rack tolerance
 * @param encoding traffic of encoding and of storing parity
 * @param relocation traffic of relocation
 * @param storageBefore bytes of all replicas and parity of these files before
 * @param storageAfter the same after
 * @param seconds wall time
 * @param spans when each stripe was encoded, verified and trimmed
 */
public record ConvertReport(
    String code,
    List<FileResult> files,
    List<Skipped> skipped,
    int stripes,
    int dataBlocks,
    int parityBlocks,
    int crossRackDataBlocks,
    int relocatedBlocks,
    Traffic encoding,
    Traffic relocation,
    long storageBefore,
    long storageAfter,
    double seconds,
    List<Span> spans) {
  public ConvertReport {
    files = List.copyOf(files);
    skipped = List.copyOf(skipped);
    spans = List.copyOf(spans);
  }

  /**
   * A file that is converted.
   *
   * @param already whether it was before this run
   */
  public record FileResult(String path, long bytes, int blocks, boolean already) {}

  /**
   * A file that was left alone.
   *
   * @param cause a stable word, for example {@code IN_SNAPSHOT}
   * @param reason a sentence with numbers
   */
  public record Skipped(String path, String cause, String reason) {}
}
