package org.braid.shard.decode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.AtomicFile;
import org.braid.shard.io.StripeBuffer;
import org.braid.shard.io.StripeHasher;
import org.braid.shard.report.ShardProgress;

/** Restores the file of a set; reads and verifies all shards completely. */
final class FileRestorer {
  private final SelectedSet selection;
  private final ShardSources sources;
  private final DecodePrograms programs;
  private final ShardProgress progress;

  FileRestorer(
      SelectedSet selection,
      ShardSources sources,
      DecodePrograms programs,
      ShardProgress progress) {
    this.selection = selection;
    this.sources = sources;
    this.programs = programs;
    this.progress = progress;
  }

  /**
   * Restores.
   *
   * @param out receives the file; without it the shards are only verified
   * @throws UnrecoverableException when a stripe cannot be decoded, or the file has another SHA-256
   */
  void restore(Optional<AtomicFile> out) throws IOException, UnrecoverableException {
    ShardSet set = selection.set();
    ShardLayout layout = set.layout();
    try (StripeHasher hasher = new StripeHasher(set.n(), set.alpha(), set.cell())) {
      for (long s = 0; s < layout.stripes(); s++) {
        StripeBuffer stripe = hasher.next();
        stripe.shape(layout.cellBytes(s));
        data(s, stripe);
        int bytes = layout.dataBytes(s);
        hasher.hash(
            stripe,
            bytes,
            () -> {
              if (out.isPresent()) {
                ByteBuffer data = stripe.data(bytes);
                out.get().append(data);
              }
              return bytes;
            });
        progress.at("decoding", s * layout.stripeBytes() + bytes, set.length());
      }
      String sha256 = hasher.finish();
      if (!sha256.equals(set.sha256())) {
        throw new UnrecoverableException(
            "the restored file has SHA-256 " + sha256 + ", the headers say " + set.sha256());
      }
    }
  }

  private void data(long s, StripeBuffer stripe) throws UnrecoverableException {
    BitSet lost = new BitSet();
    for (int b = 0; b < selection.set().n(); b++) {
      lost.set(b, !sources.read(b, s, stripe));
    }
    BitSet data = lost.get(0, selection.set().k());
    if (data.isEmpty()) {
      return;
    }
    DecodePrograms.Decoding decoding =
        programs.of(data, lost).orElseThrow(() -> tooFew(selection, s, lost));
    decoding.program().run(stripe.subBlocks(), stripe.subBlockBytes());
  }

  static UnrecoverableException tooFew(SelectedSet selection, long stripe, BitSet lost) {
    return new UnrecoverableException(
        "stripe "
            + stripe
            + " of "
            + selection.set().layout().stripes()
            + ": "
            + Shortage.text(selection.code(), lost, "cells"));
  }
}
