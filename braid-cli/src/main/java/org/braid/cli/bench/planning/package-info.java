/** JMH benchmarks of placement, grouping and planning. */
@NullMarked
package org.braid.cli.bench.planning;

import org.jspecify.annotations.NullMarked;
