/** Reads all blocks of stripes from time to time, and has HDFS know of those that are bad. */
@NullMarked
package org.braid.hdfs.coordinator.scrub;

import org.jspecify.annotations.NullMarked;
