/** Tests of how the plugin watches DataNodes, without a cluster. */
@NullMarked
package org.braid.hdfs.namenode.deferral;

import org.jspecify.annotations.NullMarked;
