/**
 * Finds the files that are certainly sound. The NameNode judges them, so that {@code fsck} gets
 * only counts of millions of such files.
 */
@NullMarked
package org.braid.hdfs.namenode.sound;

import org.jspecify.annotations.NullMarked;
