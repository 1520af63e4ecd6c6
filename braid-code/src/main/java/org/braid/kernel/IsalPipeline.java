package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.braid.code.Matrix;

/** Pipeline stages as calls of ISA-L. */
final class IsalPipeline extends CheckedPipeline {
  /** Bytes of a piece in all places together; they fit into a second-level cache. */
  private static final int CACHE_BYTES = 512 << 10;

  /** The shortest piece, for pipelines with many places. */
  private static final int MIN_PIECE = 1 << 10;

  private static final int MAX_PIECE = 64 << 10;

  /** A cache line. Pieces and scratch places are multiples of it, as xor_gen requires. */
  private static final int LINE = 64;

  /** Outputs that ISA-L computes in one pass over its inputs, on every processor. */
  private static final int OUTPUTS_A_PASS = 4;

  private static final ThreadLocal<IsalScratch> SCRATCH = ThreadLocal.withInitial(IsalScratch::new);

  private final List<IsalCall> calls;
  private final int scratchPlaces;

  /** Whether places of a piece are used more than once, so that a cache helps. */
  private final boolean revisits;

  IsalPipeline(int buffers, List<PipelineStage> stages) {
    super(buffers, stages);
    scratchPlaces = places.places - buffers;
    List<IsalCall> all = new ArrayList<>();
    for (PipelineStage stage : stages) {
      split(stage, all);
    }
    calls = List.copyOf(all);
    revisits =
        calls.size() > 1 || calls.stream().anyMatch(call -> call.targets.length > OUTPUTS_A_PASS);
  }

  /** Splits a stage into calls: plain sums separately, and without columns of zeros. */
  private static void split(PipelineStage stage, List<IsalCall> calls) {
    Matrix matrix = stage.coefficients();
    List<Integer> others = new ArrayList<>();
    for (int r = 0; r < matrix.rows(); r++) {
      if (PipelinePlaces.isSum(matrix, r)) {
        calls.add(call(stage, true, r));
      } else {
        others.add(r);
      }
    }
    if (!others.isEmpty()) {
      calls.add(call(stage, false, others.stream().mapToInt(r -> r).toArray()));
    }
  }

  private static IsalCall call(PipelineStage stage, boolean sum, int... rows) {
    Matrix matrix = stage.coefficients();
    int[] columns = PipelinePlaces.columns(matrix, rows);
    int[] targets = PipelinePlaces.pick(stage.targets(), rows);
    if (columns.length == 0) {
      // ISA-L needs an input: zero times the target itself is zero.
      return new IsalCall(Matrix.of(1, 1, 0), targets, targets, IsalCall.Kind.ZERO);
    }
    return new IsalCall(
        matrix.select(rows, columns),
        PipelinePlaces.pick(stage.sources(), columns),
        targets,
        sum ? IsalCall.Kind.SUM : IsalCall.Kind.PRODUCTS);
  }

  @Override
  void run(ByteBuffer[] first, ByteBuffer[] second, int length) {
    if (length == 0 || calls.isEmpty()) {
      return;
    }
    try {
      pieces(first, second, length);
    } finally {
      // Native code uses addresses alone: keep the owners of the memory alive until here.
      Jdk.keep(first);
      Jdk.keep(second);
      Jdk.keep(this);
    }
  }

  private void pieces(ByteBuffer[] first, ByteBuffer[] second, int length) {
    IsalScratch scratch = SCRATCH.get();
    scratch.begin(places.places);
    int copies = 0;
    for (int place : places.loads) {
      copies += scratch.locate(place, at(first, second, place));
    }
    for (int place : places.stores) {
      copies += scratch.locate(place, at(first, second, place));
    }
    int piece = copies > 0 || revisits ? Math.min(piece(copies), length) : length;
    scratch.reserve(scratchPlaces + copies, piece + LINE - 1 & -LINE);
    for (int place = places.buffers; place < places.places; place++) {
      scratch.assign(place);
    }
    if (copies > 0) {
      assign(scratch, first, second, places.loads);
      assign(scratch, first, second, places.stores);
    }
    for (int done = 0; done < length; done += piece) {
      int count = Math.min(piece, length - done);
      if (copies > 0) {
        for (int place : places.loads) {
          scratch.copyIn(place, at(first, second, place), done, count);
        }
      }
      for (IsalCall call : calls) {
        call.run(scratch, count);
      }
      if (copies > 0) {
        for (int place : places.stores) {
          scratch.copyOut(place, at(first, second, place), done, count);
        }
      }
      advance(scratch, first, second, places.loads, count);
      advance(scratch, first, second, places.stores, count);
    }
  }

  private static void assign(
      IsalScratch scratch, ByteBuffer[] first, ByteBuffer[] second, int[] places) {
    for (int place : places) {
      if (!at(first, second, place).isDirect()) {
        scratch.assign(place);
      }
    }
  }

  private static void advance(
      IsalScratch scratch, ByteBuffer[] first, ByteBuffer[] second, int[] places, int count) {
    for (int place : places) {
      if (at(first, second, place).isDirect()) {
        scratch.advance(place, count);
      }
    }
  }

  private int piece(int copies) {
    // A copied buffer occupies the cache twice.
    int used = places.loads.length + places.stores.length + scratchPlaces + copies;
    return Math.max(MIN_PIECE, Math.min(MAX_PIECE, CACHE_BYTES / used & -LINE));
  }
}
