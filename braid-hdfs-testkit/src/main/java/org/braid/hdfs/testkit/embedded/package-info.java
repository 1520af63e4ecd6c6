/**
 * An unmodified HDFS cluster with racks in this process, for the demo, the benchmarks and the
 * tests.
 */
@NullMarked
package org.braid.hdfs.testkit.embedded;

import org.jspecify.annotations.NullMarked;
