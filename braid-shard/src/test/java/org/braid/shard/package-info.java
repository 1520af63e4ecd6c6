/** Tests of shards: round trips, faults of every kind, repairs. */
@NullMarked
package org.braid.shard;

import org.jspecify.annotations.NullMarked;
