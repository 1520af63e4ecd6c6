/** Other DataNodes, and the NameNodes that know them. */
@NullMarked
package org.braid.hdfs.datanode.peers;

import org.jspecify.annotations.NullMarked;
