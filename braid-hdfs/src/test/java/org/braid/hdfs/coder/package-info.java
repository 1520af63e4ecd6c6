/** Tests of Hadoop's coders as contenders. */
@NullMarked
package org.braid.hdfs.coder;

import org.jspecify.annotations.NullMarked;
