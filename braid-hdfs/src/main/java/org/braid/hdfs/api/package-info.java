/**
 * The interface of programs to a cluster: requests, reports and previews, without Hadoop types and
 * without mechanism.
 */
@NullMarked
package org.braid.hdfs.api;

import org.jspecify.annotations.NullMarked;
