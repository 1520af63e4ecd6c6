package org.braid.hdfs.datanode.scrub;

import java.util.Optional;
import org.braid.engine.block.BlockHash;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.kernel.Kernel;

/** The hash that a scrub asks for. */
public final class RequestedHash {
  /** Sub-blocks of a block at most, as each takes memory: 4 MiB for so many. */
  private static final int MOST = 256;

  private RequestedHash() {}

  /**
   * The hash of a replica, without bytes so far; empty where none is asked for, or where it cannot
   * be had: the scrub then checks the replica alone.
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
