/** What daemons tell monitoring systems, by Hadoop's metrics. */
@NullMarked
package org.braid.hdfs.metrics;

import org.jspecify.annotations.NullMarked;
