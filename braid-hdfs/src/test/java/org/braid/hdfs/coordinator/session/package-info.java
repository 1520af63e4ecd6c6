/** Tests of how stripes are judged and repaired, without a cluster. */
@NullMarked
package org.braid.hdfs.coordinator.session;

import org.jspecify.annotations.NullMarked;
