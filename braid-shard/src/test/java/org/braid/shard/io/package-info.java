/** Tests of the writing of shards. */
@NullMarked
package org.braid.shard.io;

import org.jspecify.annotations.NullMarked;
