/** Benchmark of a NameNode with very many stripes. */
@NullMarked
package org.braid.cli.bench.namenode;

import org.jspecify.annotations.NullMarked;
