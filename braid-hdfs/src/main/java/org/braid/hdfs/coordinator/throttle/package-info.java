/**
 * The throttle of work in the background: where it is set, and how it is kept. Plans wait for a
 * rate before they begin, their workers keep to it, and are told when it changes.
 */
@NullMarked
package org.braid.hdfs.coordinator.throttle;

import org.jspecify.annotations.NullMarked;
