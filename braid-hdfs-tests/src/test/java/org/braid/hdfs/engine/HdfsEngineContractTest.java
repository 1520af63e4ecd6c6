package org.braid.hdfs.engine;

import java.util.Map;
import java.util.Optional;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.plan.Plan;

/** Plans all of whose nodes are workers, as the coordinator runs them. */
final class HdfsEngineContractTest extends HdfsEngineContract {
  @Override
  Optional<LocalNode> local(Plan plan, CellLayout layout, Map<SubBlock, byte[]> stored) {
    return Optional.empty();
  }
}
