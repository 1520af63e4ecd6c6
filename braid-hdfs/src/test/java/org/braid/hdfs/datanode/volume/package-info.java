@NullMarked
package org.braid.hdfs.datanode.volume;

import org.jspecify.annotations.NullMarked;
