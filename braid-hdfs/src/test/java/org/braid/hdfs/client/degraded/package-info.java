/** Tests of degraded reads on blocks in memory. */
@NullMarked
package org.braid.hdfs.client.degraded;

import org.jspecify.annotations.NullMarked;
