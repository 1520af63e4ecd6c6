/** What is missing or half configured on a cluster. */
@NullMarked
package org.braid.hdfs.coordinator.check;

import org.jspecify.annotations.NullMarked;
