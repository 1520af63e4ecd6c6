@NullMarked
package org.braid.hdfs.coordinator.view;

import org.jspecify.annotations.NullMarked;
