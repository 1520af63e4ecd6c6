package org.braid.hdfs.coordinator.scrub;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.code.derive.ParityCheck;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.stripe.Stripe;
import org.braid.kernel.LinearHash;

/** The hashes of a stripe's blocks, as workers compute them while they read. Thread-safe. */
final class StripeHashes {
  private final Stripe stripe;
  private final long seed;
  private final Map<Integer, byte[]> known = new ConcurrentHashMap<>();

  /**
   * No hashes so far.
   *
   * @param seed of all of them
   */
  StripeHashes(Stripe stripe, long seed) {
    this.stripe = stripe;
    this.seed = seed;
  }

  /** The request to workers; empty when this version of Braid cannot use the stripe. */
  Optional<HashRequestProto> request() {
    if (!stripe.isSupported()) {
      return Optional.empty();
    }
    CellLayout layout = stripe.layout();
    return Optional.of(
        HashRequestProto.newBuilder()
            .setSeed(seed)
            .setAlpha(layout.alpha())
            .setCell(layout.cell())
            .setUnit(layout.unit())
            .build());
  }

  /**
   * Adds the hashes of a block from an answer, if the replica is good and the worker computed them.
   */
  void add(int position, ScrubResponseProto answer) {
    if (answer.getFinding() == Finding.GOOD
        && stripe.isSupported()
        && answer.getHashes().size() == bytes()) {
      known.putIfAbsent(position, answer.getHashes().toByteArray());
    }
  }

  boolean has(int position) {
    return known.containsKey(position);
  }

  private int bytes() {
    return stripe.code().alpha() * LinearHash.BYTES;
  }

  /** Compares the hashes; empty while those of some block are missing. */
  Optional<ParityCheck> check() {
    if (!stripe.isSupported()) {
      return Optional.empty();
    }
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < stripe.size(); i++) {
      byte[] hash = stripe.isVirtual(i) ? new byte[bytes()] : known.get(i);
      if (hash == null) {
        return Optional.empty();
      }
      all.add(hash);
    }
    return Optional.of(ParityCheck.of(stripe.code(), all));
  }
}
