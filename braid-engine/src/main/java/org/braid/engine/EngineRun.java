package org.braid.engine;

import java.util.Map;
import org.braid.code.SubBlock;

/**
 * What a run of a whole plan did.
 *
 * @param stored by node, the sub-blocks stored there and their bytes
 * @param bytes bytes that moved over each link
 * @param outcomes by node, what its fragment did
 */
public record EngineRun(
    Map<Integer, Map<SubBlock, byte[]>> stored,
    Map<Link, Long> bytes,
    Map<Integer, Outcome> outcomes) {
  public EngineRun {
    stored = Map.copyOf(stored);
    bytes = Map.copyOf(bytes);
    outcomes = Map.copyOf(outcomes);
  }
}
