/** Tests of what the NameNode says of stripes, without one. */
@NullMarked
package org.braid.hdfs.namenode.view;

import org.jspecify.annotations.NullMarked;
