/** How the NameNode's lock is taken, which differs between versions of Hadoop. */
@NullMarked
package org.braid.hdfs.namenode.lock;

import org.jspecify.annotations.NullMarked;
