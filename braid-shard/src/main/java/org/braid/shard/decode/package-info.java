/** Restores files from shards and repairs shards. */
@NullMarked
package org.braid.shard.decode;

import org.jspecify.annotations.NullMarked;
