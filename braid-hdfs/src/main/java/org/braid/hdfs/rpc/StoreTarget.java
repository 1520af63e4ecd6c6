package org.braid.hdfs.rpc;

import java.util.List;
import org.braid.hdfs.proto.BraidProtos.ParityProto;
import org.braid.hdfs.proto.BraidProtos.RebuildProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;

/** The target of a value that a worker stores. */
public sealed interface StoreTarget {
  /** A replica of an existing block. */
  record Rebuild(RebuildProto proto) implements StoreTarget {}

  /** A new file of one block. */
  record Parity(ParityProto proto) implements StoreTarget {}

  /**
   * A replica of an existing block on the worker's disks, published only if its content has the
   * recorded CRC-32C.
   *
   * @param checksum HDFS's checksum type of the file, {@code CRC32C} or {@code CRC32}
   * @param bytesPerChecksum bytes of a checksum chunk of the file
   * @param storageTypes names of permitted storage types, the best first; empty for any
   */
  static StoreTarget rebuild(
      BlockIdentity block,
      int crc32c,
      String checksum,
      int bytesPerChecksum,
      List<String> storageTypes) {
    return new Rebuild(
        RebuildProto.newBuilder()
            .setBlock(StripeCodec.toProto(block))
            .setCrc32C(crc32c)
            .setChecksum(checksum)
            .setBytesPerChecksum(bytesPerChecksum)
            .addAllStorageTypes(storageTypes)
            .build());
  }

  /** A replica on any storage, preferably an ordinary disk. */
  static StoreTarget rebuild(
      BlockIdentity block, int crc32c, String checksum, int bytesPerChecksum) {
    return rebuild(block, crc32c, checksum, bytesPerChecksum, List.of());
  }

  /** A new file of one block with the storage policy of its directory. */
  static StoreTarget parity(String path) {
    return parity(path, "");
  }

  /**
   * A new file of one block, whose only replica is on the worker's disks.
   *
   * @param storagePolicy the name of its storage policy; empty: its directory's
   */
  static StoreTarget parity(String path, String storagePolicy) {
    ParityProto.Builder parity = ParityProto.newBuilder().setPath(path);
    if (!storagePolicy.isEmpty()) {
      parity.setStoragePolicy(storagePolicy);
    }
    return new Parity(parity.build());
  }
}
