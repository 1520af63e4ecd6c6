@NullMarked
package org.braid.hdfs.namenode.stripes;

import org.jspecify.annotations.NullMarked;
