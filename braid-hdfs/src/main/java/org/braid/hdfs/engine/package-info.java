/**
 * Runs plans on HDFS: fragments on the workers of DataNodes and, where a plan ends at a reader, one
 * fragment in this process. The coordinator and the client run all their plans with it.
 */
@NullMarked
package org.braid.hdfs.engine;

import org.jspecify.annotations.NullMarked;
