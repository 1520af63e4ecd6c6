/** An unmodified HDFS in this process, with racks: for the demo, for tests, for trying things. */
@NullMarked
package org.braid.hdfs.testkit.embedded;

import org.jspecify.annotations.NullMarked;
