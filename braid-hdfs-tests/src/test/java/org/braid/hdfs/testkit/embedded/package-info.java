/** Tests of the test kit itself. */
@NullMarked
package org.braid.hdfs.testkit.embedded;

import org.jspecify.annotations.NullMarked;
