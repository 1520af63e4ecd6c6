/** What reading took, for programs that ask. */
@NullMarked
package org.braid.hdfs.client.statistics;

import org.jspecify.annotations.NullMarked;
