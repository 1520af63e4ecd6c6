/** Tests of how the lock of a NameNode is taken, without one. */
@NullMarked
package org.braid.hdfs.namenode.lock;

import org.jspecify.annotations.NullMarked;
