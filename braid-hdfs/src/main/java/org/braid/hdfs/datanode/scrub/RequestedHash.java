package org.braid.hdfs.datanode.scrub;

import java.util.Optional;
import org.braid.engine.block.BlockHash;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.kernel.Kernel;

/** The hash that a scrub requests. */
public final class RequestedHash {
  /** Sub-blocks of a block at most, as each takes memory: 4 MiB for so many. */
  private static final int MOST = 256;

  private RequestedHash() {}

  /**
   * The empty hash of a replica; no value when none is requested, or when it is unsupported: the
   * scrub then checks the replica only.
   */
  public static Optional<BlockHash> of(ScrubRequestProto request, Kernel kernel) {
    HashRequestProto hash = request.getHash();
    if (!request.hasHash() || hash.getAlpha() < 1 || hash.getAlpha() > MOST) {
      return Optional.empty();
    }
    CellLayout layout;
    try {
      layout = new CellLayout(hash.getAlpha(), hash.getCell(), hash.getUnit());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return request.getBlock().getLength() > layout.blockLength()
        ? Optional.empty()
        : Optional.of(new BlockHash(layout, hash.getSeed(), kernel));
  }
}
