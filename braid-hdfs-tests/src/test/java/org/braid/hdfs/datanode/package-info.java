@NullMarked
package org.braid.hdfs.datanode;

import org.jspecify.annotations.NullMarked;
