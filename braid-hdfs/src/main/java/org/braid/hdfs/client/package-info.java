/** File systems that read through lost blocks. */
@NullMarked
package org.braid.hdfs.client;

import org.jspecify.annotations.NullMarked;
