package org.braid.hdfs.api;

import java.util.List;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.jspecify.annotations.Nullable;

/**
 * The planned work of a repair that began now.
 *
 * @param shape the plans' shape
 * @param stripes stripes of which blocks would be rebuilt or moved
 * @param files files with data blocks that would be rebuilt or moved
 * @param rebuiltBlocks lost blocks that would be rebuilt
 * @param movedBlocks misplaced blocks that would be moved
 * @param rebuiltBytes bytes of all these blocks
 * @param parityBytes bytes of the parity blocks that would be rebuilt
 * @param crossRackBytes bytes that would go from rack to rack
 * @param inRackBytes bytes that would go from node to node inside racks
 * @param crossSiteBytes bytes that would go from site to site; part of {@code crossRackBytes}
 * @param seconds least duration, see {@link Expected}; null when a throttle of 0 stops it
 * @param leftAlone blocks that cannot be rebuilt now; of many a {@link SpilledList}
 * @param settled blocks whose surplus copies would be dropped
 * @param postponed stripes that would be left alone because a silent node may come back
 * @param reencoded stripes that lost data blocks to deletions or changes, whose other blocks would
 *     be encoded anew or replicated again; those bytes are not counted
 */
public record RepairPreview(
    String shape,
    int stripes,
    int files,
    int rebuiltBlocks,
    int movedBlocks,
    long rebuiltBytes,
    long parityBytes,
    long crossRackBytes,
    long inRackBytes,
    long crossSiteBytes,
    @Nullable Double seconds,
    List<Unrepairable> leftAlone,
    int settled,
    int postponed,
    int reencoded) {
  /**
   * The planned traffic of repairs.
   *
   * @param bytes of the blocks that are rebuilt and moved
   * @param seconds how long the links are busy with it at the configured rates and the throttle, if
   *     they carry nothing else; null when a throttle of 0 stops it
   */
  public record Expected(
      long bytes,
      long crossRackBytes,
      long inRackBytes,
      long crossSiteBytes,
      @Nullable Double seconds) {
    /** Nothing. */
    public static final Expected NOTHING = new Expected(0, 0, 0, 0, 0.0);
  }

  /** Numbers of rebuilt and moved blocks, and of their stripes and files. */
  public record Blocks(int stripes, int files, int rebuilt, int moved, long parityBytes) {}

  /** Creates a preview from the planned repairs and the blocks that are left alone. */
  public static RepairPreview of(
      String shape,
      Blocks blocks,
      Expected expected,
      List<Unrepairable> leftAlone,
      int settled,
      int postponed,
      int reencoded) {
    return new RepairPreview(
        shape,
        blocks.stripes(),
        blocks.files(),
        blocks.rebuilt(),
        blocks.moved(),
        expected.bytes(),
        blocks.parityBytes(),
        expected.crossRackBytes(),
        expected.inRackBytes(),
        expected.crossSiteBytes(),
        expected.seconds(),
        leftAlone,
        settled,
        postponed,
        reencoded);
  }
}
