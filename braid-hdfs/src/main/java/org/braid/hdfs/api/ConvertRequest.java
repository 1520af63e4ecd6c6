package org.braid.hdfs.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.placement.site.SiteRequest;

/**
 * The files to convert, and how.
 *
 * @param paths files or directories
 * @param code name of the code
 * @param perRack most blocks of a stripe a rack (EAR §3.2, c); empty: the smallest possible
 * @param targetRacks most racks of a stripe (EAR §3.4, R'); empty: all
 * @param sites the policy over sites, {@code even} or {@code code-aware}; empty: racks alone count
 * @param parityCopies how often each parity is stored (Geo-MXOR §V-D), 1 to {@link
 *     #MAX_PARITY_COPIES}
 * @param method how stripes are formed and encoded
 * @param parallel stripes at once, at least 1
 * @param sliceBytes bytes of a slice, a positive multiple of 512
 * @param seed of the random choices
 * @param progress hears of progress
 */
public record ConvertRequest(
    List<String> paths,
    String code,
    OptionalInt perRack,
    OptionalInt targetRacks,
    Optional<String> sites,
    int parityCopies,
    Method method,
    int parallel,
    int sliceBytes,
    long seed,
    Progress progress) {
  /** With more copies of parity most codes store as much as three replicas. */
  public static final int MAX_PARITY_COPIES = SiteRequest.MAX_PARITY_COPIES;

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

  /** How parity is computed. */
  public enum Encode {
    /** All data comes to the encoding node. */
    GATHER,
    /** Each node that holds data adds its part to the parities on their way. */
    PIPELINED,
    /** Whichever takes less time with as many stripes at once as asked for. */
    AUTO
  }

  /** Which replica of a block stays, and where parity goes, as far as a stripe's limits let. */
  public enum Homes {
    /** Balances over all nodes the reads of each file, and the stored blocks. */
    EVEN,
    /** At random. */
    RANDOM,
    /**
     * Data at random; parities in the rack that encodes, as far as the limits allow, so that fewer
     * cross racks (EAR §5.2, fig. 16(e)).
     */
    NEAR
  }

  /**
   * How stripes are formed and encoded.
   *
   * @param encoder which node encodes
   * @param group which blocks form a stripe
   * @param encode how parity is computed
   * @param homes which replicas stay
   */
  public record Method(Encoder encoder, Group group, Encode encode, Homes homes) {
    /** Chooses the cheapest. */
    public static final Method DEFAULT =
        new Method(Encoder.CORE_RACK, Group.AUTO, Encode.AUTO, Homes.EVEN);

    /** The method of HDFS-RAID, the baseline of EAR §2.2. */
    public static final Method BASELINE =
        new Method(Encoder.RANDOM, Group.ORDER, Encode.GATHER, Homes.RANDOM);
  }

  /** A request that knows racks only, and stores each parity once. */
  public ConvertRequest(
      List<String> paths,
      String code,
      OptionalInt perRack,
      Method method,
      int parallel,
      int sliceBytes,
      long seed,
      Progress progress) {
    this(
        paths,
        code,
        perRack,
        OptionalInt.empty(),
        Optional.empty(),
        1,
        method,
        parallel,
        sliceBytes,
        seed,
        progress);
  }

  public ConvertRequest {
    paths = List.copyOf(paths);
    if (sites.isPresent() && targetRacks.isPresent()) {
      throw new IllegalArgumentException(
          "a placement over sites chooses racks itself: leave out the target racks");
    }
    if (parityCopies < 1 || parityCopies > MAX_PARITY_COPIES) {
      throw new IllegalArgumentException(
          parityCopies + " copies of each parity, needed are 1 to " + MAX_PARITY_COPIES);
    }
    RepairRequest.requireSlices(parallel, sliceBytes);
  }

  /** The same with another listener. */
  public ConvertRequest withProgress(Progress other) {
    return new ConvertRequest(
        paths,
        code,
        perRack,
        targetRacks,
        sites,
        parityCopies,
        method,
        parallel,
        sliceBytes,
        seed,
        other);
  }
}
