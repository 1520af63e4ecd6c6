package org.braid.kernel;

import java.util.List;
import java.util.function.Supplier;
import org.braid.code.Matrix;

/**
 * A kernel that is chosen when there is something to compute. To load ISA-L takes longer than many
 * a read, and whoever only receives what others have computed needs none.
 *
 * @param choice gives the kernel, the same each time
 */
record KernelWhenNeeded(Supplier<Kernel> choice) implements Kernel {
  @Override
  public String name() {
    return choice.get().name();
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return choice.get().transform(coefficients);
  }

  @Override
  public Pipeline pipeline(int buffers, List<PipelineStage> stages) {
    return choice.get().pipeline(buffers, stages);
  }
}
