@NullMarked
package org.braid.hdfs.coordinator.repair;

import org.jspecify.annotations.NullMarked;
