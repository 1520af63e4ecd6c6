/** The DataNode's plugin: a worker that runs fragments of plans. */
@NullMarked
package org.braid.hdfs.datanode;

import org.jspecify.annotations.NullMarked;
