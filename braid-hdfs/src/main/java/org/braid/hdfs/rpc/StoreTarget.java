package org.braid.hdfs.rpc;

import org.braid.hdfs.proto.BraidProtos.ParityProto;
import org.braid.hdfs.proto.BraidProtos.RebuildProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;

/** What a worker makes of a value that it stores. */
public sealed interface StoreTarget {
  /** A replica of an existing block. */
  record Rebuild(RebuildProto proto) implements StoreTarget {}

  /** A new file of one block. */
  record Parity(ParityProto proto) implements StoreTarget {}

  /**
   * A replica of an existing block on the worker's disks, published only if its content has the
   * CRC-32C recorded.
   *
   * @param checksum HDFS's checksum type of the file, {@code CRC32C} or {@code CRC32}
   * @param bytesPerChecksum bytes of a checksum chunk of the file
   */
  static StoreTarget rebuild(
      BlockIdentity block, int crc32c, String checksum, int bytesPerChecksum) {
    return new Rebuild(
        RebuildProto.newBuilder()
            .setBlock(StripeCodec.toProto(block))
            .setCrc32C(crc32c)
            .setChecksum(checksum)
            .setBytesPerChecksum(bytesPerChecksum)
            .build());
  }

  /** A new file of one block, whose only replica is on the worker's disks. */
  static StoreTarget parity(String path) {
    return new Parity(ParityProto.newBuilder().setPath(path).build());
  }
}
