/** Tests of the test kit itself. */
@NullMarked
package org.braid.hdfs.testkit.bench.namenode;

import org.jspecify.annotations.NullMarked;
