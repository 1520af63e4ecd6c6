package org.braid.placement.replication;

/**
 * The nodes of one block's replicas.
 *
 * @param coreRack the core rack of its stripe
 * @param nodes distinct nodes in the order chosen
 * @param attempts number of layouts drawn, including a constructed one
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
public record BlockPlacement(int coreRack, int[] nodes, int attempts) {}
