/** Calls of clients that give files other paths, drops of copies, and where paths lead. */
@NullMarked
package org.braid.hdfs.namenode.moves;

import org.jspecify.annotations.NullMarked;
