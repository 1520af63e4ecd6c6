@NullMarked
package org.braid.hdfs.datanode.limits;

import org.jspecify.annotations.NullMarked;
