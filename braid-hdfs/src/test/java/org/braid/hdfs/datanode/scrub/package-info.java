@NullMarked
package org.braid.hdfs.datanode.scrub;

import org.jspecify.annotations.NullMarked;
