package org.braid.hdfs.coordinator;

import org.braid.code.ErasureCode;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.rpc.StripeCode;
import org.jspecify.annotations.Nullable;

/**
 * Why a file cannot be converted.
 *
 * @param cause a stable word
 * @param reason a sentence with numbers and what to do
 */
record Obstacle(String cause, String reason) {
  /** The first obstacle of a file, null when there is none. */
  static @Nullable Obstacle of(FileProto file, StripeMap stripes, ErasureCode code) {
    for (String found : file.getObstaclesList()) {
      return new Obstacle(found, words(found, file));
    }
    int missing = 0;
    for (BlockStatusProto block : file.getBlocksList()) {
      boolean readable =
          block.getReplicasList().stream().anyMatch(r -> r.getLive() && !r.getCorrupt());
      StripeStatusProto stripe = stripes.of(block);
      if (!readable && stripe == null) {
        missing++;
      }
      if (stripe != null && !StripeCode.name(stripe.getStripe()).equals(code.name())) {
        return new Obstacle(
            "OTHER_CODE",
            "it is converted with "
                + StripeCode.name(stripe.getStripe())
                + " already: run braid restore first to choose "
                + code.name());
      }
    }
    if (missing > 0) {
      return new Obstacle(
          "BLOCKS_MISSING",
          missing
              + " of its "
              + file.getBlocksCount()
              + " blocks have no readable replica: bring their DataNodes back first");
    }
    return null;
  }

  private static String words(String cause, FileProto file) {
    return switch (cause) {
      case "EMPTY" -> "it has 0 bytes and so no block to encode";
      case "UNDER_CONSTRUCTION", "INCOMPLETE_BLOCK" ->
          "it is being written: close it (hdfs debug recoverLease) and convert again";
      case "STRIPED" -> "HDFS stores it erasure-coded already";
      case "ENCRYPTED" ->
          "it is in an encryption zone: its directory may not share parity with others";
      case "IN_SNAPSHOT" ->
          "a snapshot holds it at replication "
              + file.getReplication()
              + ", so that no replica could be dropped: delete the snapshot or convert before it";
      default -> "HDFS says " + cause;
    };
  }
}
