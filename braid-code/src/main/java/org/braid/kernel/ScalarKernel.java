package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import org.braid.code.Matrix;

/** The reference kernel: plain Java, always there. */
public final class ScalarKernel implements Kernel {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return new ScalarTransform(
        coefficients.columns(),
        coefficients.rows(),
        new ScalarPipeline(
            coefficients.columns() + coefficients.rows(), List.of(Stages.of(coefficients))));
  }

  @Override
  public Pipeline pipeline(int buffers, List<Stage> stages) {
    return new ScalarPipeline(buffers, stages);
  }

  private record ScalarTransform(int inputs, int outputs, ScalarPipeline stage)
      implements Transform {
    @Override
    public void apply(ByteBuffer[] in, ByteBuffer[] out, int length) {
      Buffers.check(this, in, out, length);
      stage.run(in, out, length);
    }
  }
}
