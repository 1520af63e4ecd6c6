package org.braid.shard;

/**
 * A file among the shards that does not belong to their set.
 *
 * @param path where it is
 * @param state what it is
 * @param why what that rests on
 */
public record OtherFile(String path, ShardState state, String why) {}
