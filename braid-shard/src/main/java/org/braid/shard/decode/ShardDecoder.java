package org.braid.shard.decode;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.kernel.Kernel;
import org.braid.shard.decode.DecodeRequest.Repair;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.AtomicFile;
import org.braid.shard.io.FileErrors;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.io.ShardPublication;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardRefusedException;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;

/**
 * Restores a file from shards, and repairs shards. The decoder finds missing and damaged shards by
 * itself: it verifies every cell that it reads, and a damaged cell is a loss in its stripe alone.
 *
 * <p>To restore a file, all shards are read completely. To repair only, the decoder looks at names,
 * headers and lengths first: if shards are missing or damaged, it reads only what rebuilding them
 * takes; otherwise it reads and verifies all shards.
 */
public final class ShardDecoder {
  private static final String HIDDEN = "left by an interrupted run; a repair gives it its name";

  private final Kernel kernel;
  private final Function<String, ErasureCode> codes;

  /**
   * A decoder.
   *
   * @param codes finds codes by name; throws IllegalArgumentException with the reason for a name it
   *     does not know
   */
  public ShardDecoder(Kernel kernel, Function<String, ErasureCode> codes) {
    this.kernel = kernel;
    this.codes = codes;
  }

  /**
   * Restores a file, repairs shards, or both.
   *
   * @return the result; it names the problem when too many shards are missing or damaged
   * @throws ShardRefusedException when a file would be replaced, or several sets can be decoded;
   *     nothing is written then
   * @throws IOException when the directory cannot be read or the result cannot be written
   */
  public DecodeReport decode(DecodeRequest request, ShardProgress progress) throws IOException {
    ShardScan scan = ShardScan.of(request.directory());
    if (request.out().isPresent()) {
      checkOut(request.out().get(), request, scan);
    }
    SelectedSet selection;
    try {
      selection = SelectedSet.of(scan, request.set(), codes);
    } catch (SelectedSet.NothingUsableException e) {
      List<UnusedFile> all = new ArrayList<>(scan.faulty());
      scan.shards().forEach(s -> all.add(SelectedSet.unused(s)));
      return new DecodeReport(
          Optional.of(String.valueOf(e.getMessage())),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          List.copyOf(all),
          0,
          0);
    }
    try (ShardSources sources = ShardSources.open(request.directory(), selection)) {
      return new Run(request, selection, sources, progress).run();
    }
  }

  private static void checkOut(Path out, DecodeRequest request, ShardScan scan) throws IOException {
    if (Files.isDirectory(out)) {
      throw new FileSystemException(out.toString(), null, "is a directory");
    }
    if (!Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(out)) {
      throw new ShardRefusedException(out + " is no regular file and is not replaced");
    }
    if (request.overwrite() == OverwritePolicy.REFUSE) {
      throw FileErrors.exists(out);
    }
    List<Path> shards =
        Stream.concat(
                scan.shards().stream().map(ShardScan.Shard::path),
                scan.faulty().stream().map(f -> Path.of(f.path())))
            .toList();
    for (Path shard : shards) {
      Path file = request.directory().resolve(shard);
      if (Files.exists(file) && Files.exists(out) && Files.isSameFile(file, out)) {
        throw new ShardRefusedException(out + " is a shard and is not replaced");
      }
    }
  }

  /** One request. */
  private final class Run {
    private final DecodeRequest request;
    private final SelectedSet selection;
    private final ShardSources sources;
    private final FileRestorer restorer;
    private final ShardRepairer repairer;
    private Optional<String> written = Optional.empty();
    private long bytesWritten;

    Run(
        DecodeRequest request,
        SelectedSet selection,
        ShardSources sources,
        ShardProgress progress) {
      DecodePrograms programs = new DecodePrograms(selection.code(), kernel);
      this.request = request;
      this.selection = selection;
      this.sources = sources;
      this.restorer = new FileRestorer(selection, sources, programs, progress);
      this.repairer =
          new ShardRepairer(request.directory(), selection, sources, programs, progress);
    }

    DecodeReport run() throws IOException {
      Optional<String> problem = Optional.empty();
      try {
        BitSet missing = selection.missing();
        if (!Solver.decodable(selection.code(), missing.stream().boxed().toList())) {
          throw new UnrecoverableException(Shortage.text(selection.code(), missing, "shards"));
        }
        if (request.out().isPresent()) {
          restore(request.out().get());
        } else if (missing.isEmpty()
            && sources.faulty().isEmpty()
            && selection.temporary().isEmpty()) {
          restorer.restore(Optional.empty());
        }
        if (request.repair() == Repair.SHARDS) {
          repairer.repair();
        }
        if (!repairer.refused().isEmpty()) {
          problem = Optional.of(refused());
        }
      } catch (UnrecoverableException e) {
        problem = Optional.of(selection.set().name() + ": " + e.getMessage());
      }
      return report(problem);
    }

    /** Writes the file; where its name is a link to a file, that one is replaced. */
    private void restore(Path out) throws IOException, UnrecoverableException {
      Path place = ShardPublication.target(out);
      try (AtomicFile file = AtomicFile.create(place)) {
        restorer.restore(Optional.of(file));
        file.sync();
        file.publish(request.overwrite());
        Path parent = place.toAbsolutePath().getParent();
        if (parent != null) {
          AtomicFile.syncDirectory(parent);
        }
        written = Optional.of(out.toString());
        bytesWritten += file.bytes();
      }
    }

    private String refused() {
      Map<Integer, String> refused = repairer.refused();
      return "not repaired: "
          + refused.entrySet().stream()
              .map(e -> "shard " + e.getKey() + ", " + e.getValue())
              .collect(Collectors.joining("; "));
    }

    private DecodeReport report(Optional<String> problem) {
      ShardSet set = selection.set();
      List<ShardReport> shards = new ArrayList<>();
      for (int b = 0; b < set.n(); b++) {
        shards.add(shard(b));
      }
      return new DecodeReport(
          problem,
          Optional.of(
              new DecodeReport.Source(
                  set.id().toString(), set.code(), set.name(), set.length(), set.sha256())),
          written,
          List.copyOf(shards),
          selection.others().stream()
              .filter(file -> !repairer.deleted().contains(file.path()))
              .toList(),
          sources.bytesRead(),
          bytesWritten + repairer.bytesWritten());
    }

    private ShardReport shard(int block) {
      ShardState state = ShardState.MISSING;
      String why = "";
      Path path = ShardRepairer.found(selection, block);
      Optional<ShardSource> source = sources.of(block);
      UnusedFile faulty = selection.faulty().get(block);
      if (repairer.repaired().containsKey(block)) {
        state = ShardState.REPAIRED;
        why = String.valueOf(repairer.repaired().get(block));
        path = ShardRepairer.named(selection, block);
      } else if (source.isPresent()) {
        boolean hidden = selection.temporary().get(block) && !source.get().isFaulty();
        state = hidden ? ShardState.TEMPORARY : source.get().state();
        why = hidden ? HIDDEN : source.get().why();
      } else if (faulty != null) {
        state = faulty.state();
        why = faulty.why();
      }
      return new ShardReport(block, selection.names().rack(block), path.toString(), state, why);
    }
  }
}
