package org.braid.hdfs.api;

/**
 * The results of a watch of a cluster.
 *
 * @param repaired blocks rebuilt because they were found lost
 * @param demanded blocks rebuilt because a reader waited for them
 * @param unrepairable blocks that could not be rebuilt at the last look
 * @param converted files that policies had converted
 * @param restored files that policies had restored
 * @param handOvers number of times that the lease passed to another coordinator
 * @param traffic of all rebuilding
 * @param seconds wall time
 */
public record WatchReport(
    int repaired,
    int demanded,
    int unrepairable,
    int converted,
    int restored,
    int handOvers,
    Traffic traffic,
    double seconds) {}
