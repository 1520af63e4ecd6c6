package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import org.braid.code.Matrix;

/** The base of all kernels' pipelines: checks the buffers. */
abstract class CheckedPipeline implements Pipeline {
  private static final ByteBuffer[] NONE = new ByteBuffer[0];

  final PipelinePlaces places;

  CheckedPipeline(int buffers, List<PipelineStage> stages) {
    places = new PipelinePlaces(buffers, stages);
  }

  @Override
  public final void run(ByteBuffer[] buffers, int length) {
    Buffers.check(places, buffers, length);
    run(buffers, NONE, length);
  }

  /** Runs on checked buffers; the first array holds the first places, the second the rest. */
  abstract void run(ByteBuffer[] first, ByteBuffer[] second, int length);

  static ByteBuffer at(ByteBuffer[] first, ByteBuffer[] second, int place) {
    return place < first.length ? first[place] : second[place - first.length];
  }

  /** Creates a kernel's pipelines. */
  interface Maker {
    CheckedPipeline make(int buffers, List<PipelineStage> stages);
  }

  /** A matrix as a pipeline of one stage. */
  static Transform transform(Matrix coefficients, Maker maker) {
    int inputs = coefficients.columns();
    int outputs = coefficients.rows();
    return new OneStage(
        inputs, outputs, maker.make(inputs + outputs, List.of(PipelinePlaces.of(coefficients))));
  }

  private record OneStage(int inputs, int outputs, CheckedPipeline stage) implements Transform {
    @Override
    public void apply(ByteBuffer[] in, ByteBuffer[] out, int length) {
      Buffers.check(this, in, out, length);
      stage.run(in, out, length);
    }
  }
}
