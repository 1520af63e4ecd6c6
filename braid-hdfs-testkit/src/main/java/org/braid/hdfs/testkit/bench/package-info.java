/** Measurements on HDFS itself, and Hadoop's own coder to compare with. */
@NullMarked
package org.braid.hdfs.testkit.bench;

import org.jspecify.annotations.NullMarked;
