@NullMarked
package org.braid.hdfs.failure;

import org.jspecify.annotations.NullMarked;
