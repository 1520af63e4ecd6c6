package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import org.braid.code.Matrix;

/** What the pipelines of all kernels share: the check of what they are given. */
abstract class StagedPipeline implements Pipeline {
  private static final ByteBuffer[] NONE = new ByteBuffer[0];

  final Stages places;

  StagedPipeline(int buffers, List<Stage> stages) {
    places = new Stages(buffers, stages);
  }

  @Override
  public final int buffers() {
    return places.buffers;
  }

  @Override
  public final void run(ByteBuffer[] buffers, int length) {
    Buffers.check(places, buffers, length);
    run(buffers, NONE, length);
  }

  /** Runs on checked buffers: the first places are in one array, the rest in another. */
  abstract void run(ByteBuffer[] first, ByteBuffer[] second, int length);

  static ByteBuffer at(ByteBuffer[] first, ByteBuffer[] second, int place) {
    return place < first.length ? first[place] : second[place - first.length];
  }

  /** How a kernel makes its pipelines. */
  interface Maker {
    StagedPipeline make(int buffers, List<Stage> stages);
  }

  /** A matrix as a pipeline of one stage. */
  static Transform transform(Matrix coefficients, Maker maker) {
    int inputs = coefficients.columns();
    int outputs = coefficients.rows();
    return new OneStage(
        inputs, outputs, maker.make(inputs + outputs, List.of(Stages.of(coefficients))));
  }

  private record OneStage(int inputs, int outputs, StagedPipeline stage) implements Transform {
    @Override
    public void apply(ByteBuffer[] in, ByteBuffer[] out, int length) {
      Buffers.check(this, in, out, length);
      stage.run(in, out, length);
    }
  }
}
