/** Where policies are stored, and the work that they ask for. */
@NullMarked
package org.braid.hdfs.coordinator.policy;

import org.jspecify.annotations.NullMarked;
