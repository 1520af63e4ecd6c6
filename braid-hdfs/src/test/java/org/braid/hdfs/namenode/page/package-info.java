@NullMarked
package org.braid.hdfs.namenode.page;

import org.jspecify.annotations.NullMarked;
