package org.braid.shard;

import java.util.Optional;

/**
 * A shard of a set, and how it is.
 *
 * @param index its block in the code
 * @param rack its block's rack, for codes that have racks
 * @param path where it is, or would be
 * @param state how it is
 * @param why what is wrong, was wrong before a repair, or is worth knowing; empty when nothing
 */
public record ShardReport(
    int index, Optional<Integer> rack, String path, ShardState state, String why) {}
