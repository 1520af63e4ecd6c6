@NullMarked
package org.braid.hdfs.namenode.deferral;

import org.jspecify.annotations.NullMarked;
