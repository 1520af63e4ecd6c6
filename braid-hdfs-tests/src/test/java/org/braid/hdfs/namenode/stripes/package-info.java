/** Tests of stripes of clients that need a cluster. */
@NullMarked
package org.braid.hdfs.namenode.stripes;

import org.jspecify.annotations.NullMarked;
