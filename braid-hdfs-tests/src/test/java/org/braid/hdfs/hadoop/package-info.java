/** Tests on the Hadoop that Braid runs in, whichever version that is. */
@NullMarked
package org.braid.hdfs.hadoop;

import org.jspecify.annotations.NullMarked;
