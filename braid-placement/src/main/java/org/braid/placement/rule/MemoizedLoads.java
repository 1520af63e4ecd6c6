package org.braid.placement.rule;

import java.util.HashMap;
import java.util.Map;

/** Loads as they were when first asked for, while other threads change them. */
final class MemoizedLoads implements NodeLoads {
  private record Key(int block, int node) {}

  private static final int PARITY = -1;

  private final NodeLoads loads;
  private final Map<Key, Long> known = new HashMap<>();

  private MemoizedLoads(NodeLoads loads) {
    this.loads = loads;
  }

  static NodeLoads of(NodeLoads loads) {
    return loads == NodeLoads.NONE ? loads : new MemoizedLoads(loads);
  }

  @Override
  public long ofData(int block, int node) {
    return known.computeIfAbsent(new Key(block, node), key -> loads.ofData(block, node));
  }

  @Override
  public long ofParity(int node) {
    return known.computeIfAbsent(new Key(PARITY, node), key -> loads.ofParity(node));
  }
}
