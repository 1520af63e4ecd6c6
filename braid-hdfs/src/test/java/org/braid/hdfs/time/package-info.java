/** Time of tests. */
@NullMarked
package org.braid.hdfs.time;

import org.jspecify.annotations.NullMarked;
