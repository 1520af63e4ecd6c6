package org.braid.kernel;

import java.util.List;
import java.util.function.Supplier;
import org.braid.code.Matrix;

/**
 * Chooses the kernel at its first use. Loading ISA-L takes longer than many reads, and a client
 * that only receives computed bytes needs no kernel.
 *
 * @param choice gives the kernel, the same each time
 */
record KernelWhenNeeded(Supplier<Kernel> choice) implements Kernel {
  @Override
  public String name() {
    return choice.get().name();
  }

  @Override
  public void load() {
    choice.get().load();
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
