package org.braid.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.kernel.Kernel;
import org.braid.kernel.Transform;

/**
 * A schedule prepared for a kernel: encoding, decoding or repair of a stripe in memory.
 * Thread-safe.
 */
public final class Program {
  /** Bytes worked on at once, so that scratch values stay in the processor's caches. */
  private static final int PIECE = 16 << 10;

  private final ErasureCode code;
  private final int places;
  private final List<Call> calls;

  private record Call(Transform transform, int[] sources, int[] targets) {}

  private Program(ErasureCode code, Schedule schedule, Kernel kernel) {
    this.code = code;
    this.places = schedule.places(code) * code.alpha();
    this.calls = compile(code, schedule, kernel);
  }

  /** Encodes by the code's cheapest schedule. */
  public static Program encoder(ErasureCode code, Kernel kernel) {
    List<Schedule> all = new ArrayList<>(code.encodings());
    all.add(0, Schedule.generator(code));
    return of(
        code, all.stream().min(Comparator.comparingInt(Schedule::terms)).orElseThrow(), kernel);
  }

  /**
   * Rebuilds lost blocks from others.
   *
   * @param lost positions of the blocks to rebuild
   * @param available positions of the blocks to read, most preferred first
   * @throws IllegalArgumentException when these do not determine the lost ones
   */
  public static Program decoder(
      ErasureCode code, Kernel kernel, List<Integer> lost, List<Integer> available) {
    List<Equation> equations =
        Solver.solve(code, lost, available)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "blocks "
                            + available
                            + " of "
                            + code.name()
                            + " do not determine "
                            + lost));
    return of(code, new Schedule("decode", equations), kernel);
  }

  /** Prepares any schedule over the code's sub-blocks. */
  public static Program of(ErasureCode code, Schedule schedule, Kernel kernel) {
    return new Program(code, schedule, kernel);
  }

  /** Steps that follow each other and do not use each other's results become one call. */
  private static List<Call> compile(ErasureCode code, Schedule schedule, Kernel kernel) {
    List<Call> calls = new ArrayList<>();
    List<Equation> group = new ArrayList<>();
    Set<SubBlock> made = new LinkedHashSet<>();
    for (Equation step : schedule.steps()) {
      boolean joins =
          !group.isEmpty()
              && sources(step).equals(sources(group.get(0)))
              && step.terms().stream().noneMatch(t -> made.contains(t.source()));
      if (!joins && !group.isEmpty()) {
        calls.add(call(code, group, kernel));
        group.clear();
        made.clear();
      }
      group.add(step);
      made.add(step.target());
    }
    if (!group.isEmpty()) {
      calls.add(call(code, group, kernel));
    }
    return List.copyOf(calls);
  }

  private static Set<SubBlock> sources(Equation step) {
    Set<SubBlock> sources = new LinkedHashSet<>();
    step.terms().forEach(t -> sources.add(t.source()));
    return sources;
  }

  private static Call call(ErasureCode code, List<Equation> group, Kernel kernel) {
    List<SubBlock> sources = List.copyOf(sources(group.get(0)));
    int[] values = new int[group.size() * sources.size()];
    for (int r = 0; r < group.size(); r++) {
      for (Term term : group.get(r).terms()) {
        values[r * sources.size() + sources.indexOf(term.source())] = term.coefficient();
      }
    }
    return new Call(
        kernel.transform(Matrix.of(group.size(), sources.size(), values)),
        sources.stream().mapToInt(code::row).toArray(),
        group.stream().mapToInt(e -> code.row(e.target())).toArray());
  }

  /**
   * Computes all targets.
   *
   * <p>Works on the bytes from each buffer's position on; positions and limits stay as they are.
   *
   * @param subBlocks n*alpha buffers, sub-block s of block b at b*alpha+s; those that the program
   *     neither reads nor makes may be anything
   * @param length bytes of each sub-block
   */
  public void run(ByteBuffer[] subBlocks, int length) {
    int stored = code.n() * code.alpha();
    if (subBlocks.length != stored) {
      throw new IllegalArgumentException(
          subBlocks.length + " buffers, " + code.name() + " has " + stored + " sub-blocks");
    }
    ByteBuffer[] all = new ByteBuffer[places];
    for (int i = stored; i < places; i++) {
      all[i] = ByteBuffer.allocateDirect(Math.min(PIECE, length));
    }
    int piece = places == stored ? length : PIECE;
    for (int done = 0; done < length; done += piece) {
      int count = Math.min(piece, length - done);
      for (int i = 0; i < stored; i++) {
        all[i] = subBlocks[i].duplicate().position(subBlocks[i].position() + done);
      }
      for (Call call : calls) {
        call.transform.apply(pick(all, call.sources), pick(all, call.targets), count);
      }
    }
  }

  private static ByteBuffer[] pick(ByteBuffer[] all, int[] rows) {
    ByteBuffer[] picked = new ByteBuffer[rows.length];
    for (int i = 0; i < rows.length; i++) {
      picked[i] = all[rows[i]];
    }
    return picked;
  }
}
