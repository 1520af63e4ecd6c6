/** How a worker reads one replica for a scrub: slowly, and what it finds. */
@NullMarked
package org.braid.hdfs.datanode.scrub;

import org.jspecify.annotations.NullMarked;
