package org.braid.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes missing and damaged shards anew. It reads what the equations need and no more: for a lost
 * block of a local group, that group. A shard gets its name only if the checksums of its cells are
 * those that every header of the set states.
 */
final class Repairer {
  private final Path directory;
  private final Selection selection;
  private final Sources sources;
  private final Plans plans;
  private final Progress progress;
  private final Map<Integer, String> repaired = new TreeMap<>();
  private final Map<Integer, String> refused = new TreeMap<>();
  private long bytesWritten;

  Repairer(Path directory, Selection selection, Sources sources, Plans plans, Progress progress) {
    this.directory = directory;
    this.selection = selection;
    this.sources = sources;
    this.plans = plans;
    this.progress = progress;
  }

  /** What was wrong with each block that is repaired now. */
  Map<Integer, String> repaired() {
    return repaired;
  }

  /** Why blocks were not repaired. */
  Map<Integer, String> refused() {
    return refused;
  }

  long bytesWritten() {
    return bytesWritten;
  }

  /**
   * Repairs all that is missing or known to be damaged, and what turns out to be damaged meanwhile.
   *
   * @throws TooFewException when a stripe cannot be restored, or a result is wrong; shards of
   *     earlier rounds stay repaired
   */
  void repair() throws IOException, TooFewException {
    for (BitSet targets = open(); !targets.isEmpty(); targets = open()) {
      round(targets);
    }
  }

  /** Blocks to repair that have not had their turn. */
  private BitSet open() {
    BitSet open = selection.missing();
    open.or(sources.faulty());
    repaired.keySet().forEach(open::clear);
    refused.keySet().forEach(open::clear);
    for (int b = open.nextSetBit(0); b >= 0; b = open.nextSetBit(b + 1)) {
      if (isInTheWay(b)) {
        refused.put(b, target(b) + " is in the way, it is no damaged shard of this set");
        open.clear(b);
      }
    }
    return open;
  }

  /** A file that may be someone else's is not written over. */
  private boolean isInTheWay(int block) {
    OtherFile faulty = selection.faulty().get(block);
    boolean ours =
        selection.shards().containsKey(block)
            || (faulty != null
                && (faulty.state() == ShardState.HEADER_DAMAGED
                    || faulty.state() == ShardState.TRUNCATED));
    return !ours && Files.exists(target(block), LinkOption.NOFOLLOW_LINKS);
  }

  private Path target(int block) {
    return directory.resolve(path(selection, block));
  }

  /** Where a block's shard is or belongs, relative to the directory. */
  static Path path(Selection selection, int block) {
    List<ShardScan.Shard> files = selection.shards().get(block);
    return files == null ? selection.names().path(block) : files.get(0).path();
  }

  private String fault(int block) {
    OtherFile faulty = selection.faulty().get(block);
    return sources
        .of(block)
        .map(ShardSource::why)
        .orElseGet(() -> faulty == null ? "was missing" : faulty.why());
  }

  private void round(BitSet targets) throws IOException, TooFewException {
    ShardSet set = selection.set();
    Layout layout = set.layout();
    int header = ShardHeader.bytes(set.code(), set.name(), set.n());
    List<ShardWriter> writers = new ArrayList<>();
    try (Directories made = Directories.create(directory, selection.names())) {
      for (int b : targets.stream().toArray()) {
        writers.add(ShardWriter.create(target(b), set.id(), b, header));
      }
      Stripe stripe = new Stripe(set.n(), set.alpha(), set.cell());
      for (long s = 0; s < layout.stripes(); s++) {
        stripe.shape(layout.cellBytes(s));
        rebuild(s, stripe, targets);
        for (ShardWriter writer : writers) {
          writer.append(stripe.cell(writer.block()));
        }
        progress.at("repairing", s * layout.stripeBytes() + layout.dataBytes(s), set.length());
      }
      made.keep();
      for (ShardWriter writer : writers) {
        publish(writer);
      }
    } finally {
      for (ShardWriter writer : writers) {
        writer.close();
      }
    }
  }

  /** Brings the targets' cells of a stripe into memory: their own where good, else computed. */
  private void rebuild(long s, Stripe stripe, BitSet targets) throws TooFewException {
    BitSet have = new BitSet();
    BitSet lost = selection.missing();
    BitSet wanted = new BitSet();
    for (int b = targets.nextSetBit(0); b >= 0; b = targets.nextSetBit(b + 1)) {
      boolean good = sources.read(b, s, stripe);
      have.set(b, good);
      wanted.set(b, !good);
    }
    lost.or(wanted);
    while (!wanted.isEmpty()) {
      Plans.Plan plan =
          plans.of(wanted, lost).orElseThrow(() -> Restorer.tooFew(selection, s, lost));
      boolean complete = true;
      for (int b = plan.reads().nextSetBit(0); b >= 0; b = plan.reads().nextSetBit(b + 1)) {
        if (!have.get(b)) {
          have.set(b, sources.read(b, s, stripe));
          lost.set(b, !have.get(b));
          complete &= have.get(b);
        }
      }
      if (complete) {
        plan.program().run(stripe.subBlocks(), stripe.subBlockBytes());
        return;
      }
    }
  }

  private void publish(ShardWriter writer) throws IOException, TooFewException {
    ShardSet set = selection.set();
    int block = writer.block();
    if (writer.seal() != set.seals().get(block)) {
      throw new TooFewException(
          "shard " + block + " came out with other checksums than the set's headers state");
    }
    writer.finish(set);
    boolean there = selection.shards().containsKey(block) || selection.faulty().containsKey(block);
    writer.publish(there ? Existing.REPLACE : Existing.KEEP);
    Path parent = writer.target().toAbsolutePath().getParent();
    if (parent != null) {
      AtomicFile.syncDirectory(parent);
    }
    repaired.put(block, fault(block));
    bytesWritten += writer.bytes();
  }
}
