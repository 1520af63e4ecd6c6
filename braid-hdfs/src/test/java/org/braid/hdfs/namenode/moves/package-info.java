@NullMarked
package org.braid.hdfs.namenode.moves;

import org.jspecify.annotations.NullMarked;
