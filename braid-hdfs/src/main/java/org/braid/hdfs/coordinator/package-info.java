/** Conversion, restoration, repair and checks of a cluster's files, stateless. */
@NullMarked
package org.braid.hdfs.coordinator;

import org.jspecify.annotations.NullMarked;
