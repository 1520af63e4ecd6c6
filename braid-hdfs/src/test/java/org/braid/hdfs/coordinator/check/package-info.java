@NullMarked
package org.braid.hdfs.coordinator.check;

import org.jspecify.annotations.NullMarked;
