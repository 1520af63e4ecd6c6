package org.braid.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;

/** Restores the file of a set; reads and verifies every shard from end to end. */
final class Restorer {
  private final Selection selection;
  private final Sources sources;
  private final Plans plans;
  private final Progress progress;

  Restorer(Selection selection, Sources sources, Plans plans, Progress progress) {
    this.selection = selection;
    this.sources = sources;
    this.plans = plans;
    this.progress = progress;
  }

  /**
   * Restores.
   *
   * @param out takes the file; without one it is only verified
   * @throws TooFewException when a stripe cannot be restored, or the whole is not the file
   */
  void restore(Optional<AtomicFile> out) throws IOException, TooFewException {
    ShardSet set = selection.set();
    Layout layout = set.layout();
    try (Worker worker = new Worker(set.n(), set.alpha(), set.cell())) {
      for (long s = 0; s < layout.stripes(); s++) {
        Stripe stripe = worker.next();
        stripe.shape(layout.cellBytes(s));
        data(s, stripe);
        int bytes = layout.dataBytes(s);
        worker.hash(
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
      String sha256 = worker.finish();
      if (!sha256.equals(set.sha256())) {
        throw new TooFewException(
            "what came out has SHA-256 " + sha256 + ", the shards say " + set.sha256());
      }
    }
  }

  private void data(long s, Stripe stripe) throws TooFewException {
    BitSet lost = new BitSet();
    for (int b = 0; b < selection.set().n(); b++) {
      lost.set(b, !sources.read(b, s, stripe));
    }
    BitSet data = lost.get(0, selection.set().k());
    if (data.isEmpty()) {
      return;
    }
    Plans.Plan plan = plans.of(data, lost).orElseThrow(() -> tooFew(selection, s, lost));
    plan.program().run(stripe.subBlocks(), stripe.subBlockBytes());
  }

  static TooFewException tooFew(Selection selection, long stripe, BitSet lost) {
    return new TooFewException(
        "stripe "
            + stripe
            + " of "
            + selection.set().layout().stripes()
            + ": "
            + Shortage.text(selection.code(), lost, "cells"));
  }
}
