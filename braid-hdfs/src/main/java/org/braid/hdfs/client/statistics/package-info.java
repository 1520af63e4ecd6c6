/** Statistics of reads, for programs. */
@NullMarked
package org.braid.hdfs.client.statistics;

import org.jspecify.annotations.NullMarked;
