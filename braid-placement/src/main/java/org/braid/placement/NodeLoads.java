package org.braid.placement;

/**
 * What nodes serve and store already, by any measure: of places that are equally good for a stripe
 * the one with less load is taken.
 */
public interface NodeLoads {
  /** All nodes alike: places are taken at random. */
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

  /** The load that a data block of the stripe adds to; the highest one is kept as low as can be. */
  long ofData(int block, int node);

  /** The load that a parity of the stripe adds to. */
  long ofParity(int node);
}
