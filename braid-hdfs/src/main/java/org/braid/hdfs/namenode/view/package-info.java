/** The NameNode's answers about stripes: pages of stripes, damaged stripes, and totals. */
@NullMarked
package org.braid.hdfs.namenode.view;

import org.jspecify.annotations.NullMarked;
