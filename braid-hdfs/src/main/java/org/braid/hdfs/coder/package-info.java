/** Hadoop's own coders, to compare with. */
@NullMarked
package org.braid.hdfs.coder;

import org.jspecify.annotations.NullMarked;
