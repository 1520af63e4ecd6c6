@NullMarked
package org.braid.hdfs.coordinator.policy;

import org.jspecify.annotations.NullMarked;
