/** Hadoop's own tests of what a file system promises, on Braid's. */
@NullMarked
package org.braid.hdfs.client.contract;

import org.jspecify.annotations.NullMarked;
