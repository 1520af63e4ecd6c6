package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.List;

/**
 * What a conversion did. Of many files the lists are {@link SpilledList}s.
 *
 * @param code the code's name
 * @param parityCopies how often each parity is stored
 * @param files converted now or found converted
 * @param skipped left as they were, with the reason
 * @param parityLeft parity files of earlier stripes that are no longer needed and could not be
 *     deleted, with the reason
 * @param stripes stripes written now
 * @param dataBlocks data blocks of these stripes
 * @param parityBlocks parity blocks written, copies included
 * @param crossRackDataBlocks data blocks that an encoding node read from another rack
 * @param relocatedBlocks data blocks that had to move to keep the rack tolerance
 * @param grouping the costs of the chosen grouping of blocks and of grouping in order
 * @param pipelinedStripes stripes whose parity was computed along a pipeline, not at one node
 * @param readShare the share of reads at the most loaded node
 * @param encoding traffic of encoding and of storing parity
 * @param relocation traffic of relocation
 * @param storageBefore bytes of all replicas and parity of these files before
 * @param storageAfter the same after
 * @param rollingUpgrade whether a rolling upgrade of HDFS is not finalised: DataNodes keep the
 *     replicas that are dropped
 * @param expected the planned work
 * @param seconds wall time
 * @param spans when each stripe was encoded, verified and trimmed
 */
public record ConvertReport(
    String code,
    int parityCopies,
    List<FileResult> files,
    List<Skipped> skipped,
    List<Skipped> parityLeft,
    int stripes,
    int dataBlocks,
    int parityBlocks,
    int crossRackDataBlocks,
    int relocatedBlocks,
    Grouping grouping,
    int pipelinedStripes,
    ReadShare readShare,
    Traffic encoding,
    Traffic relocation,
    long storageBefore,
    long storageAfter,
    boolean rollingUpgrade,
    ConvertPreview.Expected expected,
    double seconds,
    List<Span> spans) {
  /**
   * A file that is converted.
   *
   * @param already whether it was before this run
   */
  public record FileResult(String path, long bytes, int blocks, boolean already)
      implements Serializable {}

  /**
   * A file that was left alone.
   *
   * @param cause a stable word, for example {@code IN_SNAPSHOT}
   * @param reason a sentence with numbers
   */
  public record Skipped(String path, String cause, String reason) implements Serializable {}

  /**
   * The planned costs of grouping the blocks that were in no stripe, before any encoding.
   *
   * @param order blocks in order of their files, small files of a directory together
   * @param chosen the grouping taken
   * @param groupedOtherwise blocks that were not grouped in order
   */
  public record Grouping(Planned order, Planned chosen, int groupedOtherwise) {
    /** Nothing was grouped. */
    public static final Grouping NONE =
        new Grouping(new Planned(0, 0, 0, 0), new Planned(0, 0, 0, 0), 0);

    /** The sum of two. */
    public Grouping plus(Grouping other) {
      return new Grouping(
          order.plus(other.order),
          chosen.plus(other.chosen),
          groupedOtherwise + other.groupedOtherwise);
    }
  }

  /**
   * The cost of a grouping.
   *
   * @param crossRackDataBlocks data blocks that the best encoding nodes read from other racks
   * @param relocatedBlocks data blocks that have to move
   * @param parityBytes bytes of parity
   */
  public record Planned(
      int stripes, int crossRackDataBlocks, int relocatedBlocks, long parityBytes) {
    Planned plus(Planned other) {
      return new Planned(
          stripes + other.stripes,
          crossRackDataBlocks + other.crossRackDataBlocks,
          relocatedBlocks + other.relocatedBlocks,
          parityBytes + other.parityBytes);
    }
  }

  /**
   * The share of read data blocks that the most loaded node serves, when readers read one file or
   * all files. Before conversion a reader chooses a random replica.
   *
   * @param fileBefore for readers of one file, the mean over files by their blocks
   * @param fileAfter the same after conversion
   * @param allBefore for readers of all files
   * @param allAfter the same after conversion
   * @param even the share of each live node under an even load
   */
  public record ReadShare(
      double fileBefore, double fileAfter, double allBefore, double allAfter, double even) {}
}
