@NullMarked
package org.braid.hdfs.namenode.writes;

import org.jspecify.annotations.NullMarked;
