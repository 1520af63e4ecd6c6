/**
 * The leases of coordinators: which coordinators work on the cluster, and which paths and stripes
 * each of them may change.
 */
@NullMarked
package org.braid.hdfs.namenode.lease;

import org.jspecify.annotations.NullMarked;
