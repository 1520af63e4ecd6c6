/** Calls of clients that give files other paths, and where paths lead. */
@NullMarked
package org.braid.hdfs.namenode.moves;

import org.jspecify.annotations.NullMarked;
