package org.braid.engine;

import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.plan.Link;

/**
 * The result of a plan: stored bytes and traffic.
 *
 * @param stored by node, the sub-blocks stored there and their bytes
 * @param bytes bytes sent over each link
 * @param outcomes by node, the result of its fragment
 */
public record PlanResult(
    Map<Integer, Map<SubBlock, byte[]>> stored,
    Map<Link, Long> bytes,
    Map<Integer, FragmentResult> outcomes) {
  public PlanResult {
    stored = Map.copyOf(stored);
    bytes = Map.copyOf(bytes);
    outcomes = Map.copyOf(outcomes);
  }
}
