@NullMarked
package org.braid.hdfs.coordinator.throttle;

import org.jspecify.annotations.NullMarked;
