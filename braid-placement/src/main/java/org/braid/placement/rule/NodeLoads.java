package org.braid.placement.rule;

/**
 * The load of nodes by any measure. Of nodes that are equally good for a block, the one with less
 * load gets it.
 */
public interface NodeLoads {
  /** No loads: equally good nodes are chosen at random. */
  NodeLoads NONE =
      new NodeLoads() {
        @Override
        public long ofData(int block, int node) {
          return 0;
        }

        @Override
        public long ofParity(int node) {
          return 0;
        }
      };

  /**
   * The load of a node before it gets a data block of the stripe. Layouts minimise the highest of
   * these.
   */
  long ofData(int block, int node);

  /** The load of a node before it gets a parity of the stripe. */
  long ofParity(int node);
}
