@NullMarked
package org.braid.hdfs.namenode.host;

import org.jspecify.annotations.NullMarked;
