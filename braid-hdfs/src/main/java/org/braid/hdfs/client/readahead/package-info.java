/** Reading several blocks at once ahead of a sequential reader. */
@NullMarked
package org.braid.hdfs.client.readahead;

import org.jspecify.annotations.NullMarked;
