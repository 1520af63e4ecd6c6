@NullMarked
package org.braid.hdfs.namenode.ear;

import org.jspecify.annotations.NullMarked;
