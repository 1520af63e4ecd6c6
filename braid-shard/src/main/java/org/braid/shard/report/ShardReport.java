package org.braid.shard.report;

import java.util.Optional;

/**
 * The state of one shard of a set.
 *
 * @param index its block in the code
 * @param rack its block's rack, for codes that have racks
 * @param path its path, or the path it would have
 * @param state its state
 * @param why what is wrong, or was wrong before the repair; empty when nothing is
 */
public record ShardReport(
    int index, Optional<Integer> rack, String path, ShardState state, String why) {}
