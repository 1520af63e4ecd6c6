/** Writes shards: atomic files, their directories, and the buffers of stripes. */
@NullMarked
package org.braid.shard.io;

import org.jspecify.annotations.NullMarked;
