/** What a NameNode with very many stripes costs, beside the same NameNode without Braid. */
@NullMarked
package org.braid.hdfs.testkit.bench.namenode;

import org.jspecify.annotations.NullMarked;
