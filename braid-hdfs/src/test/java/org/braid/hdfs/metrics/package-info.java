@NullMarked
package org.braid.hdfs.metrics;

import org.jspecify.annotations.NullMarked;
