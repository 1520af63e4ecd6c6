/**
 * Measures the cost of very many stripes for a NameNode, compared with the same NameNode without
 * Braid.
 */
@NullMarked
package org.braid.hdfs.testkit.bench.namenode;

import org.jspecify.annotations.NullMarked;
