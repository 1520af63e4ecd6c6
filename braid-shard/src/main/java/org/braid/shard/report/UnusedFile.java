package org.braid.shard.report;

/**
 * A file in the directory of shards that decoding does not use: without a usable header, a
 * duplicate, or a shard of another set.
 *
 * @param path its path, relative to the directory
 * @param state what it is
 * @param why the reason for that state
 */
public record UnusedFile(String path, ShardState state, String why) {}
