/** The NameNode's plugin: placement, exact trimming, the index of stripes. */
@NullMarked
package org.braid.hdfs.namenode;

import org.jspecify.annotations.NullMarked;
