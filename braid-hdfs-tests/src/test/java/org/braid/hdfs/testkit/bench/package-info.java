/** Tests of the test kit itself. */
@NullMarked
package org.braid.hdfs.testkit.bench;

import org.jspecify.annotations.NullMarked;
