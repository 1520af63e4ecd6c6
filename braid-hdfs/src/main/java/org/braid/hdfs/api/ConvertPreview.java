package org.braid.hdfs.api;

import java.util.List;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.jspecify.annotations.Nullable;

/**
 * The planned work of a conversion that began now.
 *
 * @param code the code's name
 * @param files files that it would convert
 * @param already files that are converted
 * @param stripes stripes that it would write
 * @param dataBlocks data blocks of these stripes
 * @param parityBlocks parity blocks, copies included
 * @param relocatedBlocks data blocks that would move to keep the rack tolerance
 * @param storageBefore bytes of all replicas and parity of these files now
 * @param storageAfter the same after
 * @param bytesSaved the difference
 * @param parityBytes bytes of the parity blocks
 * @param crossRackBytes bytes that encoding and relocation would move across racks
 * @param seconds least duration: how long the links are busy with it at the configured rates and
 *     the throttle, without other traffic; null when a throttle of 0 stops it
 * @param rollingUpgrade whether a rolling upgrade of HDFS is not finalised: DataNodes keep the
 *     replicas that are dropped
 * @param leftAlone files that it would leave as they are; of many a {@link SpilledList}
 */
public record ConvertPreview(
    String code,
    int files,
    int already,
    int stripes,
    int dataBlocks,
    int parityBlocks,
    int relocatedBlocks,
    long storageBefore,
    long storageAfter,
    long bytesSaved,
    long parityBytes,
    long crossRackBytes,
    @Nullable Double seconds,
    boolean rollingUpgrade,
    List<Skipped> leftAlone) {
  /**
   * The work of a conversion as planned before each of its batches of files.
   *
   * @param stripes stripes to be written
   * @param relocatedBlocks data blocks to be moved
   * @param bytesSaved bytes of replicas less those of parity
   * @param crossRackBytes planned bytes of encoding and relocation across racks
   * @param seconds as in {@link ConvertPreview}
   */
  public record Expected(
      int stripes,
      int relocatedBlocks,
      long bytesSaved,
      long crossRackBytes,
      @Nullable Double seconds) {
    /** Nothing. */
    public static final Expected NOTHING = new Expected(0, 0, 0, 0, 0.0);
  }
}
