package org.braid.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.kernel.Kernel;
import org.braid.kernel.Pipeline;

/**
 * A schedule compiled for a kernel: encoding, decoding or repair of a stripe in memory.
 * Thread-safe.
 */
public final class Program {
  private final ErasureCode code;
  private final Schedule schedule;
  private final Pipeline pipeline;

  private Program(ErasureCode code, Schedule schedule, Kernel kernel) {
    this.code = code;
    this.schedule = schedule;
    this.pipeline = kernel.pipeline(code.n() * code.alpha(), BatchedSchedule.of(code, schedule));
  }

  /**
   * The encoder of a code. It uses the code's cheapest schedule, by the estimated time of its calls
   * to the kernel.
   */
  public static Program encoder(ErasureCode code, Kernel kernel) {
    List<Schedule> all = new ArrayList<>(code.encodings());
    all.add(0, Schedule.generator(code));
    Schedule cheapest =
        all.size() == 1
            ? all.get(0)
            : all.stream()
                .min(Comparator.comparingDouble(s -> BatchedSchedule.cost(code, s)))
                .orElseThrow();
    return of(code, cheapest, kernel);
  }

  /**
   * The decoder of lost blocks.
   *
   * @param lost positions of the blocks to rebuild
   * @param available positions of the blocks to read, most preferred first
   * @throws IllegalArgumentException when the available blocks do not determine the lost ones
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

  /** The program of any schedule over a code's sub-blocks. */
  public static Program of(ErasureCode code, Schedule schedule, Kernel kernel) {
    return new Program(code, schedule, kernel);
  }

  /** The schedule that is run, for example {@code matrix} or {@code upstairs}. */
  public Schedule schedule() {
    return schedule;
  }

  /**
   * Computes all targets.
   *
   * <p>Uses the bytes from each buffer's position on; positions and limits do not change.
   *
   * @param subBlocks n*alpha buffers, sub-block s of block b at b*alpha+s; buffers that the program
   *     neither reads nor writes may be anything
   * @param length bytes of each sub-block
   */
  public void run(ByteBuffer[] subBlocks, int length) {
    int stored = code.n() * code.alpha();
    if (subBlocks.length != stored) {
      throw new IllegalArgumentException(
          subBlocks.length + " buffers, " + code.name() + " has " + stored + " sub-blocks");
    }
    pipeline.run(subBlocks, length);
  }
}
