package org.braid.kernel;

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
    return StagedPipeline.transform(coefficients, ScalarPipeline::new);
  }

  @Override
  public Pipeline pipeline(int buffers, List<Stage> stages) {
    return new ScalarPipeline(buffers, stages);
  }
}
