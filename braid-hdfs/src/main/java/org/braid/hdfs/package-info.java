/** Braid on HDFS: the only module that knows Hadoop's types. */
@NullMarked
package org.braid.hdfs;

import org.jspecify.annotations.NullMarked;
