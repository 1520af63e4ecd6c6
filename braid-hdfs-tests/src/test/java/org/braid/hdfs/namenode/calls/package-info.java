/** Tests of calls of clients that need a cluster. */
@NullMarked
package org.braid.hdfs.namenode.calls;

import org.jspecify.annotations.NullMarked;
