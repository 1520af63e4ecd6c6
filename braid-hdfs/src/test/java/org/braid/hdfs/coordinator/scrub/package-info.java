/** Tests of scrubs without a cluster. */
@NullMarked
package org.braid.hdfs.coordinator.scrub;

import org.jspecify.annotations.NullMarked;
