/** Tests of what is said of files, without a cluster. */
@NullMarked
package org.braid.hdfs.namenode.files;

import org.jspecify.annotations.NullMarked;
