/**
 * Which files are wholly as they should be: judged where they are known, so that {@code fsck} gets
 * of millions of them no more than it counts.
 */
@NullMarked
package org.braid.hdfs.namenode.sound;

import org.jspecify.annotations.NullMarked;
