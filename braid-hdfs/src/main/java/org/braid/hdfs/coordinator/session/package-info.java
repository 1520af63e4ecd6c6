@NullMarked
package org.braid.hdfs.coordinator.session;

import org.jspecify.annotations.NullMarked;
