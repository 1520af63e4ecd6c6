package org.braid.hdfs.stripe;

/**
 * A replica of a block as the NameNode knows it.
 *
 * @param node UUID of the DataNode
 * @param stale whether its storage has not reported since a failover or restart
 * @param corrupt whether it was reported corrupt
 * @param live whether the NameNode believes the node alive and the storage healthy
 */
public record Replica(String node, boolean stale, boolean corrupt, boolean live) {}
