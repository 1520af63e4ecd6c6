/** How fast placing, grouping and planning are, measured by JMH beside what they replace. */
@NullMarked
package org.braid.cli.bench.planning;

import org.jspecify.annotations.NullMarked;
