/** Tests of calls that wait for lost blocks that need a NameNode. */
@NullMarked
package org.braid.hdfs.namenode.deferral;

import org.jspecify.annotations.NullMarked;
