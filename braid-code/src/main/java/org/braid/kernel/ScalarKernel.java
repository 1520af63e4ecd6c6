package org.braid.kernel;

import java.util.List;
import org.braid.code.Matrix;

/** The reference kernel in plain Java, which is always available. */
public final class ScalarKernel implements Kernel {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return CheckedPipeline.transform(coefficients, ScalarPipeline::new);
  }

  @Override
  public Pipeline pipeline(int buffers, List<PipelineStage> stages) {
    return new ScalarPipeline(buffers, stages);
  }
}
