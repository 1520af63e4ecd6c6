package org.braid.engine.memory;

import java.io.IOException;
import java.util.Map;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.EngineContract;
import org.braid.engine.PlanResult;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;

final class MemoryEngineContractTest extends EngineContract {
  private final BufferPool pool = new BufferPool(1 << 20);

  @Override
  protected PlanResult run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length)
      throws IOException {
    return new MemoryEngine(Kernels.active(), sliceBytes(), 2, pool)
        .run(plan, BlockSource.of(blocks), length);
  }

  @Override
  protected int sliceBytes() {
    return 1024;
  }
}
