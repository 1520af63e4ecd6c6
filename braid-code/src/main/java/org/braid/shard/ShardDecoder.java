package org.braid.shard;

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
import java.util.stream.Stream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.kernel.Kernel;
import org.braid.shard.DecodeRequest.Repair;

/**
 * Restores a file from shards, and repairs shards. What is wrong with shards is found out, not
 * told: every cell is verified when it is read, and a damaged one is a loss in its stripe alone.
 *
 * <p>Where a file is asked for, all shards are read from end to end. Where only a repair is asked
 * for and shards are seen to be missing or damaged without reading their bodies, no more is read
 * than rebuilding them takes; where none is, all are read and verified.
 */
public final class ShardDecoder {
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
   * Restores, repairs, or both.
   *
   * @return what came of it; shards that are missing or damaged are no error, too many of them are
   *     the report's problem
   * @throws ShardRefusedException when something would be written over, or it is not clear which
   *     set is meant; nothing is written then
   * @throws IOException when the directory cannot be read or the result not be written
   */
  public DecodeReport decode(DecodeRequest request, Progress progress) throws IOException {
    ShardScan scan = ShardScan.of(request.directory());
    if (request.out().isPresent()) {
      checkOut(request.out().get(), request, scan);
    }
    Selection selection;
    try {
      selection = Selection.of(scan, request.set(), codes);
    } catch (Selection.NothingUsableException e) {
      List<OtherFile> all = new ArrayList<>(scan.faulty());
      scan.shards().forEach(s -> all.add(Selection.unused(s)));
      return new DecodeReport(
          Optional.of(String.valueOf(e.getMessage())),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          List.copyOf(all),
          0,
          0);
    }
    try (Sources sources = Sources.open(request.directory(), selection)) {
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
    if (request.existing() == Existing.KEEP) {
      throw AtomicFile.exists(out);
    }
    List<Path> shards =
        Stream.concat(
                scan.shards().stream().map(ShardScan.Shard::path),
                scan.faulty().stream().map(f -> Path.of(f.path())))
            .toList();
    for (Path shard : shards) {
      Path file = request.directory().resolve(shard);
      if (Files.exists(file) && Files.exists(out) && Files.isSameFile(file, out)) {
        throw new ShardRefusedException(out + " is a shard, it is not written over");
      }
    }
  }

  /** One request at work. */
  private final class Run {
    private final DecodeRequest request;
    private final Selection selection;
    private final Sources sources;
    private final Restorer restorer;
    private final Repairer repairer;
    private Optional<String> written = Optional.empty();
    private long bytesWritten;

    Run(DecodeRequest request, Selection selection, Sources sources, Progress progress) {
      Plans plans = new Plans(selection.code(), kernel);
      this.request = request;
      this.selection = selection;
      this.sources = sources;
      this.restorer = new Restorer(selection, sources, plans, progress);
      this.repairer = new Repairer(request.directory(), selection, sources, plans, progress);
    }

    DecodeReport run() throws IOException {
      Optional<String> problem = Optional.empty();
      try {
        BitSet missing = selection.missing();
        if (!Solver.decodable(selection.code(), missing.stream().boxed().toList())) {
          throw new TooFewException(Shortage.text(selection.code(), missing, "shards"));
        }
        if (request.out().isPresent()) {
          restore(request.out().get());
        } else if (missing.isEmpty() && sources.faulty().isEmpty()) {
          restorer.restore(Optional.empty());
        }
        if (request.repair() == Repair.SHARDS) {
          repairer.repair();
        }
        if (!repairer.refused().isEmpty()) {
          problem = Optional.of(refused());
        }
      } catch (TooFewException e) {
        problem = Optional.of(selection.set().name() + ": " + e.getMessage());
      }
      return report(problem);
    }

    private void restore(Path out) throws IOException, TooFewException {
      try (AtomicFile file = AtomicFile.create(out)) {
        restorer.restore(Optional.of(file));
        file.sync();
        file.publish(request.existing());
        Path parent = out.toAbsolutePath().getParent();
        if (parent != null) {
          AtomicFile.syncDirectory(parent);
        }
        written = Optional.of(out.toString());
        bytesWritten += file.bytes();
      }
    }

    private String refused() {
      Map<Integer, String> refused = repairer.refused();
      StringBuilder text = new StringBuilder("not repaired: ");
      refused.forEach((block, why) -> text.append("shard ").append(block).append(", ").append(why));
      return text.toString();
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
          selection.others(),
          sources.bytesRead(),
          bytesWritten + repairer.bytesWritten());
    }

    private ShardReport shard(int block) {
      ShardState state = ShardState.MISSING;
      String why = "";
      Optional<ShardSource> source = sources.of(block);
      OtherFile faulty = selection.faulty().get(block);
      if (repairer.repaired().containsKey(block)) {
        state = ShardState.REPAIRED;
        why = String.valueOf(repairer.repaired().get(block));
      } else if (source.isPresent()) {
        state = source.get().state();
        why = source.get().why();
      } else if (faulty != null) {
        state = faulty.state();
        why = faulty.why();
      }
      return new ShardReport(
          block,
          selection.names().rack(block),
          Repairer.path(selection, block).toString(),
          state,
          why);
    }
  }
}
