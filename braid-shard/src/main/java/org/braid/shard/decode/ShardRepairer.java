package org.braid.shard.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.AtomicFile;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.io.ShardDirectories;
import org.braid.shard.io.ShardPublication;
import org.braid.shard.io.ShardWriter;
import org.braid.shard.io.StripeBuffer;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.UnusedFile;

/**
 * Rebuilds missing and damaged shards. It reads only what the repair equations need: for one lost
 * block of a local group, that group. A rebuilt shard is published only if its seal is the one in
 * the headers of the set.
 */
final class ShardRepairer {
  private final Path directory;
  private final SelectedSet selection;
  private final ShardSources sources;
  private final DecodePrograms programs;
  private final ShardProgress progress;
  private final Map<Integer, String> repaired = new TreeMap<>();
  private final Map<Integer, String> refused = new TreeMap<>();
  private final Set<String> deleted = new TreeSet<>();
  private long bytesWritten;

  ShardRepairer(
      Path directory,
      SelectedSet selection,
      ShardSources sources,
      DecodePrograms programs,
      ShardProgress progress) {
    this.directory = directory;
    this.selection = selection;
    this.sources = sources;
    this.programs = programs;
    this.progress = progress;
  }

  /** What was wrong with each repaired shard, by block. */
  Map<Integer, String> repaired() {
    return repaired;
  }

  /** Why shards were not repaired, by block. */
  Map<Integer, String> refused() {
    return refused;
  }

  /** Temporary files that were deleted because their shards have been repaired. */
  Set<String> deleted() {
    return deleted;
  }

  long bytesWritten() {
    return bytesWritten;
  }

  /**
   * Repairs all shards that are missing, damaged or under hidden names, also those found damaged
   * during the repair.
   *
   * @throws UnrecoverableException when a stripe cannot be decoded, or a rebuilt shard is wrong;
   *     shards of earlier rounds stay repaired
   */
  void repair() throws IOException, UnrecoverableException {
    for (BitSet targets = open(); !targets.isEmpty(); targets = open()) {
      round(targets);
    }
  }

  /** Blocks still to repair. */
  private BitSet open() throws IOException {
    BitSet open = selection.missing();
    open.or(sources.faulty());
    open.or(selection.temporary());
    repaired.keySet().forEach(open::clear);
    refused.keySet().forEach(open::clear);
    for (int b = open.nextSetBit(0); b >= 0; b = open.nextSetBit(b + 1)) {
      Path file = directory.resolve(named(selection, b));
      boolean exists = !Files.notExists(file); // a link to nothing is no obstacle
      Optional<UnusedFile> faulty = Optional.ofNullable(selection.faulty().get(b));
      Optional<String> obstacle = exists && !isOwn(b) ? obstacle(file, faulty) : Optional.empty();
      if (obstacle.isEmpty()) {
        obstacle = sharedPlace(file, b);
      }
      if (obstacle.isPresent()) {
        refused.put(b, obstacle.get());
        open.clear(b);
      }
    }
    return open;
  }

  /** Whether a file with a usable header of this set has the name that the rebuilt shard gets. */
  private boolean isOwn(int block) {
    Path named = named(selection, block);
    return selection.shards().getOrDefault(block, List.of()).stream()
        .anyMatch(shard -> shard.path().equals(named));
  }

  /**
   * Why a file with a shard's name is not replaced, although it has no usable header of this set;
   * empty if it may be replaced.
   *
   * @param faulty what is wrong with its header; empty if it is another file or another shard
   */
  static Optional<String> obstacle(Path file, Optional<UnusedFile> faulty) {
    if (faulty.isEmpty()) {
      return Optional.of(
          file + " exists and is not a damaged copy of it; move it away and repair again");
    }
    String why = faulty.get().why();
    return switch (faulty.get().state()) {
      case HEADER_DAMAGED, TRUNCATED -> Optional.empty();
      case UNREADABLE ->
          Optional.of(
              "%s %s; make it readable or move it away, and repair again".formatted(file, why));
      default -> Optional.of("%s exists: %s; move it away and repair again".formatted(file, why));
    };
  }

  /** Why a shard is not written through a link: another shard is written to the same place. */
  private Optional<String> sharedPlace(Path file, int block) throws IOException {
    if (!Files.isSymbolicLink(file)) {
      return Optional.empty();
    }
    Path place = ShardPublication.place(target(block));
    for (int b = 0; b < selection.set().n(); b++) {
      Path other = directory.resolve(named(selection, b));
      boolean shard = Files.notExists(other) || Files.isRegularFile(other);
      if (b != block && shard && ShardPublication.place(target(b)).equals(place)) {
        return Optional.of(file + " leads to the same file as " + other + "; move one away");
      }
    }
    return Optional.empty();
  }

  /** Where a shard is written: if it is a link, the file that the link leads to. */
  private Path target(int block) throws IOException {
    return ShardPublication.target(directory.resolve(named(selection, block)));
  }

  /** The path of a block's shard, found or expected, relative to the directory. */
  static Path found(SelectedSet selection, int block) {
    List<ShardScan.Shard> files = selection.shards().get(block);
    return files == null ? selection.names().path(block) : files.get(0).path();
  }

  /** The path that a block's shard has after a repair, relative to the directory. */
  static Path named(SelectedSet selection, int block) {
    return selection.temporary().get(block)
        ? selection.names().path(block)
        : found(selection, block);
  }

  private String fault(int block) {
    UnusedFile faulty = selection.faulty().get(block);
    return sources
        .of(block)
        .map(source -> source.isFaulty() ? source.why() : "was under a hidden name")
        .orElseGet(() -> faulty == null ? "was missing" : faulty.why());
  }

  private void round(BitSet targets) throws IOException, UnrecoverableException {
    ShardSet set = selection.set();
    ShardLayout layout = set.layout();
    int header = ShardHeader.bytes(set.code(), set.name(), set.n());
    List<ShardWriter> writers = new ArrayList<>();
    try (ShardDirectories made = ShardDirectories.create(directory, selection.names())) {
      for (int b : targets.stream().toArray()) {
        writers.add(ShardWriter.create(target(b), set.id(), b, header));
      }
      StripeBuffer stripe = new StripeBuffer(set.n(), set.alpha(), set.cell());
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

  /** Reads the targets' cells of a stripe; decodes those that cannot be read. */
  private void rebuild(long s, StripeBuffer stripe, BitSet targets) throws UnrecoverableException {
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
      DecodePrograms.Decoding decoding =
          programs.of(wanted, lost).orElseThrow(() -> FileRestorer.tooFew(selection, s, lost));
      boolean complete = true;
      for (int b = decoding.reads().nextSetBit(0); b >= 0; b = decoding.reads().nextSetBit(b + 1)) {
        if (!have.get(b)) {
          have.set(b, sources.read(b, s, stripe));
          lost.set(b, !have.get(b));
          complete &= have.get(b);
        }
      }
      if (complete) {
        decoding.program().run(stripe.subBlocks(), stripe.subBlockBytes());
        return;
      }
    }
  }

  private void publish(ShardWriter writer) throws IOException, UnrecoverableException {
    ShardSet set = selection.set();
    int block = writer.block();
    if (writer.seal() != set.seals().get(block)) {
      throw new UnrecoverableException(
          "shard " + block + " was rebuilt with other checksums than the headers of the set have");
    }
    writer.finish(set);
    boolean there =
        isOwn(block)
            || selection.faulty().containsKey(block)
            || Files.isSymbolicLink(writer.target()); // it leads into no directory
    writer.publish(there ? OverwritePolicy.REPLACE : OverwritePolicy.REFUSE);
    Path parent = writer.target().toAbsolutePath().getParent();
    if (parent != null) {
      AtomicFile.syncDirectory(parent);
    }
    repaired.put(block, fault(block));
    bytesWritten += writer.bytes();
    for (ShardScan.Shard file : selection.shards().getOrDefault(block, List.of())) {
      if (AtomicFile.isTemporary(file.path())) {
        AtomicFile.delete(directory.resolve(file.path()));
        deleted.add(file.path().toString());
      }
    }
  }
}
