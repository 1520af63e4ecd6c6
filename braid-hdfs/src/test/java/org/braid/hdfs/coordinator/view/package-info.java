/** Tests of what is said of files and stripes, without a cluster. */
@NullMarked
package org.braid.hdfs.coordinator.view;

import org.jspecify.annotations.NullMarked;
