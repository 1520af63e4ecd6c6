/** Tests of what the plugin asks of its NameNode, without a cluster. */
@NullMarked
package org.braid.hdfs.namenode.host;

import org.jspecify.annotations.NullMarked;
