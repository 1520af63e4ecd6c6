/** Which Hadoop Braid runs in. */
@NullMarked
package org.braid.hdfs.hadoop;

import org.jspecify.annotations.NullMarked;
