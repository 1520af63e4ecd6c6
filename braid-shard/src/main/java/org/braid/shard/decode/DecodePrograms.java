package org.braid.shard.decode;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalFirst;
import org.braid.code.LruCache;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;

/** Programs that rebuild lost blocks; those of the last patterns of losses are cached. */
final class DecodePrograms {
  /** Patterns of losses in the cache. */
  private static final int CACHED = 64;

  private final ErasureCode code;
  private final Kernel kernel;
  private final LruCache<Losses, Optional<Decoding>> known = new LruCache<>(CACHED);

  private record Losses(BitSet wanted, BitSet unavailable) {}

  /**
   * A program that rebuilds blocks.
   *
   * @param reads the blocks it reads
   * @param program computes the wanted blocks from them
   */
  record Decoding(BitSet reads, Program program) {}

  DecodePrograms(ErasureCode code, Kernel kernel) {
    this.code = code;
    this.kernel = kernel;
  }

  /**
   * The program that rebuilds blocks; empty when the available blocks do not determine them.
   *
   * @param wanted the blocks to rebuild
   * @param unavailable the blocks that cannot be read, including the wanted ones
   */
  Optional<Decoding> of(BitSet wanted, BitSet unavailable) {
    return known.get(
        new Losses((BitSet) wanted.clone(), (BitSet) unavailable.clone()), this::solve);
  }

  private Optional<Decoding> solve(Losses losses) {
    List<Integer> wanted = losses.wanted.stream().boxed().toList();
    List<Integer> available =
        IntStream.range(0, code.n()).filter(b -> !losses.unavailable.get(b)).boxed().toList();
    return Solver.solve(code, wanted, LocalFirst.order(code, wanted, available))
        .map(this::decoding);
  }

  private Decoding decoding(List<Equation> equations) {
    BitSet reads = new BitSet();
    equations.forEach(e -> e.terms().forEach(t -> reads.set(t.source().block())));
    return new Decoding(reads, Program.of(code, new Schedule("decode", equations), kernel));
  }
}
