/** Who works on the cluster, and keeps others out of what it changes. */
@NullMarked
package org.braid.hdfs.namenode.lease;

import org.jspecify.annotations.NullMarked;
