/** Tests of the NameNode's plugin on an embedded cluster. */
@NullMarked
package org.braid.hdfs.namenode;

import org.jspecify.annotations.NullMarked;
