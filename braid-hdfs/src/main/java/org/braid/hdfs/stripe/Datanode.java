package org.braid.hdfs.stripe;

import java.util.Optional;

/**
 * A DataNode as the NameNode knows it.
 *
 * @param host as HDFS prints it
 * @param rack its network location
 * @param remaining bytes
 * @param inService neither decommissioned nor in maintenance, nor on the way there
 * @param heartbeatAgeMillis since its last heartbeat
 * @param suspect silent, though the NameNode may still believe it alive: not to be relied on
 * @param upgradeDomain empty when it is in none
 * @param blockPool the NameNode's, one of those that the DataNode serves; empty when not known
 */
public record Datanode(
    String uuid,
    String host,
    String ip,
    int ipcPort,
    int transferPort,
    String rack,
    long remaining,
    boolean live,
    boolean inService,
    long heartbeatAgeMillis,
    boolean suspect,
    Optional<String> upgradeDomain,
    String blockPool) {}
