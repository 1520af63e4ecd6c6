package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Creates the exception for a lost block that cannot be read. */
final class LostBlock {
  private LostBlock() {}

  /**
   * The exception that HDFS's client throws for a block without a replica, with the numbers of the
   * block's stripe.
   */
  static IOException of(String path, LocatedBlock block, DegradedStripe stripe, HelperSet helpers) {
    int reachable = helpers.available(stripe).size();
    int k = stripe.code().k();
    String unreachable =
        helpers.unreachable().entrySet().stream()
            .map(entry -> "block " + entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    String message =
        String.format(
            Locale.ROOT,
            "block %s of %s is lost and cannot be rebuilt: %d of its stripe's %d blocks are"
                + " reachable, %d needed%s; unreachable: %s",
            block.getBlock().getBlockName(),
            path,
            reachable,
            stripe.code().n(),
            k,
            reachable < k ? "" : " that together determine it",
            unreachable);
    return new BlockMissingException(path, message, block.getStartOffset());
  }
}
