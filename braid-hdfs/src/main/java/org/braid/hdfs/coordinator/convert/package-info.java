@NullMarked
package org.braid.hdfs.coordinator.convert;

import org.jspecify.annotations.NullMarked;
