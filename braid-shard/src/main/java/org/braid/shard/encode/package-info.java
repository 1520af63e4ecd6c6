/** Encodes local files into shards. */
@NullMarked
package org.braid.shard.encode;

import org.jspecify.annotations.NullMarked;
