/**
 * The throttle of background work: stores and enforces it. Plans wait for a rate before they begin;
 * their workers keep to it and are told when it changes.
 */
@NullMarked
package org.braid.hdfs.coordinator.throttle;

import org.jspecify.annotations.NullMarked;
