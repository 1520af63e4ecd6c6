package org.braid.shard.encode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;
import org.braid.shard.format.SetId;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.format.ShardNames;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.FileErrors;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.io.ShardDirectories;
import org.braid.shard.io.ShardPublication;
import org.braid.shard.io.ShardWriter;
import org.braid.shard.io.StripeBuffer;
import org.braid.shard.io.StripeHasher;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardRefusedException;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;

/**
 * Encodes a local file into shards. The file is read once, front to back; the memory depends on the
 * code and the cell alone. Shards get their names when all of them are complete and on disk.
 */
public final class ShardEncoder {
  private final Kernel kernel;

  public ShardEncoder(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Encodes.
   *
   * @throws IllegalArgumentException when the cell is too large for the code
   * @throws ShardRefusedException when there are shards of a file of this name and they are not to
   *     be replaced, or other files have the names of shards and must not be replaced
   * @throws IOException when the file cannot be read or a shard cannot be written; the directory is
   *     as it was then. Or when a shard that was replaced cannot be deleted: the new ones are there
   *     then
   */
  public EncodeReport encode(EncodeRequest request, ShardProgress progress) throws IOException {
    ErasureCode code = request.code();
    int cell = request.fullCell();
    Path directory = request.directory();
    Path named = request.file().toAbsolutePath().normalize().getFileName();
    if (Files.isDirectory(request.file()) || named == null) {
      throw new FileSystemException(request.file().toString(), null, "is a directory");
    }
    ShardNames names = new ShardNames(named.toString(), code.n(), code.racks());
    try (FileChannel in = FileChannel.open(request.file())) {
      List<Path> old = existing(directory, names);
      if (!old.isEmpty() && request.overwrite() == OverwritePolicy.REFUSE) {
        throw FileErrors.exists(old.get(0));
      }
      List<Path> shards = paths(directory, names);
      if (names.isShared()) {
        checkOwn(shards, names);
      }
      var unused = ShardPublication.targets(shards);
      try (ShardDirectories made = ShardDirectories.create(directory, names)) {
        EncodeReport report = new Run(request, in, names, cell, old, progress).encode();
        made.keep();
        return report;
      }
    }
  }

  /**
   * The shards that a file of this name has, sorted, with those of earlier releases as far as their
   * headers say so; links are followed.
   */
  private static List<Path> existing(Path directory, ShardNames names) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(directory.toString(), null, "is not a directory");
    }
    List<Path> found = new ArrayList<>();
    for (Path entry : list(directory)) {
      if (!Files.isDirectory(entry)) {
        found.add(entry);
      } else if (ShardNames.isRack(entry.getFileName())) {
        list(entry).stream().filter(file -> !Files.isDirectory(file)).forEach(found::add);
      }
    }
    return found.stream()
        .filter(
            file ->
                names.matches(directory.relativize(file))
                    || (names.mayMatch(directory.relativize(file)) && isOf(file, names.name())))
        .sorted()
        .toList();
  }

  /** Refuses files at the shards' names that may be shards of a file with a longer name. */
  private static void checkOwn(List<Path> shards, ShardNames names) throws ShardRefusedException {
    for (Path shard : shards) {
      if (Files.isRegularFile(shard) && !isOf(shard, names.name())) {
        throw new ShardRefusedException(
            shard
                + " has no header of a shard of this file; it may be of a file with a longer name,"
                + " move it away");
      }
    }
  }

  /** Whether the header of a shard names a file; false when it cannot be read. */
  private static boolean isOf(Path shard, String file) {
    if (!Files.isRegularFile(shard)) {
      return false; // a pipe would be waited for
    }
    try (FileChannel channel = FileChannel.open(shard)) {
      return ShardHeader.read(channel).set().name().equals(file);
    } catch (IOException e) {
      return false;
    }
  }

  /** The paths of all shards, by block. */
  private static List<Path> paths(Path directory, ShardNames names) {
    return IntStream.range(0, names.n()).mapToObj(names::path).map(directory::resolve).toList();
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    } catch (UncheckedIOException e) {
      throw FileErrors.failed(directory, "cannot be listed", Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw FileErrors.failed(directory, "cannot be listed", e);
    }
  }

  /** One encoding. */
  private final class Run {
    private final EncodeRequest request;
    private final ErasureCode code;
    private final FileChannel in;
    private final ShardNames names;
    private final int cell;
    private final List<Path> old;
    private final ShardProgress progress;
    private final SetId id = SetId.random();
    private final List<ShardWriter> writers = new ArrayList<>();

    Run(
        EncodeRequest request,
        FileChannel in,
        ShardNames names,
        int cell,
        List<Path> old,
        ShardProgress progress) {
      this.request = request;
      this.code = request.code();
      this.in = in;
      this.names = names;
      this.cell = cell;
      this.old = old;
      this.progress = progress;
    }

    EncodeReport encode() throws IOException {
      int header = ShardHeader.bytes(code.name(), names.name(), code.n());
      List<Path> paths = paths(request.directory(), names);
      List<Path> targets = ShardPublication.targets(paths);
      try (StripeHasher hasher = new StripeHasher(code.n(), code.alpha(), cell)) {
        for (int b = 0; b < code.n(); b++) {
          writers.add(ShardWriter.create(targets.get(b), id, b, header));
        }
        long length = stripes(hasher);
        ShardSet set = set(length, hasher.finish());
        for (ShardWriter writer : writers) {
          writer.finish(set);
        }
        ShardPublication.publish(writers, paths, old, request.overwrite());
        return report(set);
      } finally {
        for (ShardWriter writer : writers) {
          writer.close();
        }
      }
    }

    /** Encodes all stripes; returns the bytes of the file. */
    private long stripes(StripeHasher hasher) throws IOException {
      Program program = Program.encoder(code, kernel);
      boolean regular = Files.isRegularFile(request.file());
      long expected = regular ? in.size() : 0;
      int full = code.k() * cell;
      long length = 0;
      int count = full;
      while (count == full) {
        StripeBuffer stripe = hasher.next();
        count = read(stripe.data(full));
        if (count == 0) {
          break;
        }
        hasher.hash(stripe, count, () -> null);
        stripe.shape(ShardLayout.cellBytes(code.k(), code.alpha(), count));
        stripe.zero(count, code.k() * code.alpha() * stripe.subBlockBytes());
        program.run(stripe.subBlocks(), stripe.subBlockBytes());
        for (ShardWriter writer : writers) {
          writer.append(stripe.cell(writer.block()));
        }
        length += count;
        progress.at("encoding", length, regular ? Math.max(length, expected) : length + 1);
      }
      if (!regular) {
        progress.at("encoding", length, length);
      }
      if (regular && length != expected) {
        throw new FileSystemException(
            request.file().toString(),
            null,
            "changed while it was read: "
                + expected
                + " bytes at first, "
                + length
                + " in the end");
      }
      return length;
    }

    /** Fills a buffer, or as much of it as the file has. */
    private int read(ByteBuffer buffer) throws IOException {
      try {
        while (buffer.hasRemaining() && in.read(buffer) >= 0) {
          // A pipe gives less than asked for.
        }
        return buffer.position();
      } catch (IOException e) {
        throw FileErrors.failed(request.file(), "cannot be read", e);
      }
    }

    private ShardSet set(long length, String sha256) {
      return new ShardSet(
          id,
          code.name(),
          Codes.digest(code),
          code.n(),
          code.k(),
          code.alpha(),
          cell,
          length,
          sha256,
          names.name(),
          writers.stream().map(ShardWriter::seal).toList());
    }

    private EncodeReport report(ShardSet set) {
      List<ShardReport> shards = new ArrayList<>();
      for (int b = 0; b < code.n(); b++) {
        shards.add(new ShardReport(b, names.rack(b), names.path(b).toString(), ShardState.OK, ""));
      }
      return new EncodeReport(
          request.file().toString(),
          set.length(),
          set.sha256(),
          set.code(),
          set.id().toString(),
          cell,
          request.directory().toString(),
          List.copyOf(shards),
          writers.stream().mapToLong(ShardWriter::bytes).sum());
    }
  }
}
