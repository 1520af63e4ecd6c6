/** Guards HDFS's client calls that must be prepared, delayed or refused for the sake of stripes. */
@NullMarked
package org.braid.hdfs.namenode.calls;

import org.jspecify.annotations.NullMarked;
