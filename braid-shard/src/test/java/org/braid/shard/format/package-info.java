/** Tests of the format of shards. */
@NullMarked
package org.braid.shard.format;

import org.jspecify.annotations.NullMarked;
