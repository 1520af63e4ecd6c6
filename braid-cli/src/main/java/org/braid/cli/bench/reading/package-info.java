/** Benchmark of sequential reads on an embedded cluster. */
@NullMarked
package org.braid.cli.bench.reading;

import org.jspecify.annotations.NullMarked;
