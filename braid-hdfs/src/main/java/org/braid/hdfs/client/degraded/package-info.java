/** Reads of lost blocks: helpers, plans, hedges, and where such blocks are. */
@NullMarked
package org.braid.hdfs.client.degraded;

import org.jspecify.annotations.NullMarked;
