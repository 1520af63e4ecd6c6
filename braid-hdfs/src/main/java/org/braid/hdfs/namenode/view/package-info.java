/** What the NameNode says of stripes: pages of them, those that are damaged, and totals. */
@NullMarked
package org.braid.hdfs.namenode.view;

import org.jspecify.annotations.NullMarked;
