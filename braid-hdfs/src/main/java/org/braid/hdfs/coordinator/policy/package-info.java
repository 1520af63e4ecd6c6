/** Stores policies and carries them out. */
@NullMarked
package org.braid.hdfs.coordinator.policy;

import org.jspecify.annotations.NullMarked;
