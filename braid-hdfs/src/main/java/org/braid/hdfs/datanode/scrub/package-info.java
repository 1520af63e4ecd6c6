/** A worker's slow reads of single replicas for a scrub, and their findings. */
@NullMarked
package org.braid.hdfs.datanode.scrub;

import org.jspecify.annotations.NullMarked;
