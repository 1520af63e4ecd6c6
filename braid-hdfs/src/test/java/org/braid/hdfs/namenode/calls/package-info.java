@NullMarked
package org.braid.hdfs.namenode.calls;

import org.jspecify.annotations.NullMarked;
