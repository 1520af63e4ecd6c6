/** Reads of lost blocks: helpers, plans, hedges, and locations for lost blocks. */
@NullMarked
package org.braid.hdfs.client.degraded;

import org.jspecify.annotations.NullMarked;
