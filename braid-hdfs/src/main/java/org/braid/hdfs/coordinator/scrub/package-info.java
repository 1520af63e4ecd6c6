/** Scrubs: reads all blocks of stripes periodically and reports bad ones to HDFS. */
@NullMarked
package org.braid.hdfs.coordinator.scrub;

import org.jspecify.annotations.NullMarked;
