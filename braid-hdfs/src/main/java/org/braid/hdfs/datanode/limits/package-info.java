/**
 * Limits on callers of a worker: fragments, connections, and addresses that the worker connects to.
 */
@NullMarked
package org.braid.hdfs.datanode.limits;

import org.jspecify.annotations.NullMarked;
