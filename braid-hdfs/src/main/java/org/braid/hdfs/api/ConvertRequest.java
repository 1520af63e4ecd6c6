package org.braid.hdfs.api;

import java.util.List;
import java.util.OptionalInt;

/**
 * What to convert, and how.
 *
 * @param paths files or directories
 * @param code name of the code
 * @param perRack most blocks of a stripe a rack (EAR §3.2, c); empty: the smallest possible
 * @param encoder which node encodes a stripe
 * @param parallel stripes at once, at least 1
 * @param sliceBytes bytes of a slice, a positive multiple of 512
 * @param seed of the random choices
 * @param progress hears how far it is
 */
public record ConvertRequest(
    List<String> paths,
    String code,
    OptionalInt perRack,
    Encoder encoder,
    int parallel,
    int sliceBytes,
    long seed,
    Progress progress) {
  /** Which node encodes a stripe. */
  public enum Encoder {
    /** A node of the rack that holds most of the stripe's data blocks: fewest downloads. */
    CORE_RACK,
    /** A random node, as HDFS-RAID does it: the baseline of EAR §2.2. */
    RANDOM
  }

  public ConvertRequest {
    paths = List.copyOf(paths);
    if (parallel < 1 || sliceBytes < 512 || sliceBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "parallel "
              + parallel
              + " must be at least 1, slice "
              + sliceBytes
              + " a multiple of 512");
    }
  }
}
