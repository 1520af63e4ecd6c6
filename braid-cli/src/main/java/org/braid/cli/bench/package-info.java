/** Measuring how fast coders are: interleaved runs, medians and ratios. */
@NullMarked
package org.braid.cli.bench;

import org.jspecify.annotations.NullMarked;
