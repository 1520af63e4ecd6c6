package org.braid.hdfs.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to convert, and how.
 *
 * @param paths files or directories
 * @param code name of the code
 * @param perRack most blocks of a stripe a rack (EAR §3.2, c); empty: the smallest possible
 * @param sites the policy over sites, {@code even} or {@code code-aware}; empty: racks alone count
 * @param method how stripes are formed and encoded
 * @param parallel stripes at once, at least 1
 * @param sliceBytes bytes of a slice, a positive multiple of 512
 * @param seed of the random choices
 * @param progress hears how far it is
 */
public record ConvertRequest(
    List<String> paths,
    String code,
    OptionalInt perRack,
    Optional<String> sites,
    Method method,
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

  /** Which blocks form a stripe. */
  public enum Group {
    /** Blocks in the order of their file; small files of a directory together. */
    ORDER,
    /** Blocks whose replicas let them be encoded and kept where they are, of whichever files. */
    RETROACTIVE,
    /** In order what is free of downloads and relocations so; the rest as is cheaper. */
    AUTO
  }

  /**
   * How stripes are formed and encoded.
   *
   * @param encoder which node encodes
   * @param group which blocks form a stripe
   */
  public record Method(Encoder encoder, Group group) {
    /** Whatever is cheapest. */
    public static final Method DEFAULT = new Method(Encoder.CORE_RACK, Group.AUTO);
  }

  /** A request that knows racks only. */
  public ConvertRequest(
      List<String> paths,
      String code,
      OptionalInt perRack,
      Method method,
      int parallel,
      int sliceBytes,
      long seed,
      Progress progress) {
    this(paths, code, perRack, Optional.empty(), method, parallel, sliceBytes, seed, progress);
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
