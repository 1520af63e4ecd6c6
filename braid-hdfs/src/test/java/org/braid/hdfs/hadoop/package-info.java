/** Tests of what tells one Hadoop from another. */
@NullMarked
package org.braid.hdfs.hadoop;

import org.jspecify.annotations.NullMarked;
