/** What callers may take of a worker: places for fragments, connections, and who it connects to. */
@NullMarked
package org.braid.hdfs.datanode.limits;

import org.jspecify.annotations.NullMarked;
