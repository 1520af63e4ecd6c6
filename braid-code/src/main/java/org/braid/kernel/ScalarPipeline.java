package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pipeline stages in plain Java. Pieces are copied to arrays, because only loops over arrays become
 * vector instructions.
 */
final class ScalarPipeline extends CheckedPipeline {
  /** Bytes of a piece in all places together; they fit into a second-level cache. */
  private static final int CACHE_BYTES = 256 << 10;

  private static final int MAX_PIECE = 8 << 10;
  private static final int MIN_PIECE = 512;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private final List<ScalarRow> rows;
  private final int piece;

  ScalarPipeline(int buffers, List<PipelineStage> stages) {
    super(buffers, stages);
    List<ScalarRow> all = new ArrayList<>();
    for (PipelineStage stage : stages) {
      for (int r = 0; r < stage.coefficients().rows(); r++) {
        all.add(new ScalarRow(stage, r));
      }
    }
    rows = List.copyOf(all);
    int fits = CACHE_BYTES / Math.max(1, places.places) & -Long.BYTES;
    piece = Math.max(MIN_PIECE, Math.min(MAX_PIECE, fits));
  }

  @Override
  void run(ByteBuffer[] first, ByteBuffer[] second, int length) {
    if (rows.isEmpty()) {
      return;
    }
    byte[][] arrays = SCRATCH.get().arrays(places.places, piece);
    for (int done = 0; done < length; done += piece) {
      int count = Math.min(piece, length - done);
      for (int place : places.loads) {
        // Absolute bulk access works for heap, direct and read-only buffers.
        ByteBuffer buffer = at(first, second, place);
        buffer.get(buffer.position() + done, arrays[place], 0, count);
      }
      for (ScalarRow row : rows) {
        row.run(arrays, count);
      }
      for (int place : places.stores) {
        ByteBuffer buffer = at(first, second, place);
        buffer.put(buffer.position() + done, arrays[place], 0, count);
      }
    }
  }

  /** The arrays of a thread, one for each place. */
  private static final class Scratch {
    private static final byte[] EMPTY = new byte[0];

    private byte[][] arrays = new byte[0][];

    byte[][] arrays(int places, int bytes) {
      if (arrays.length < places) {
        int old = arrays.length;
        arrays = Arrays.copyOf(arrays, places);
        Arrays.fill(arrays, old, places, EMPTY);
      }
      for (int place = 0; place < places; place++) {
        // Pipelines with many places use short pieces, so this stays small.
        if (arrays[place].length < bytes) {
          arrays[place] = new byte[bytes];
        }
      }
      return arrays;
    }
  }
}
