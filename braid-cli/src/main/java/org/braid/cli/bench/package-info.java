/** Measures the speed of coders: interleaved runs, medians and ratios. */
@NullMarked
package org.braid.cli.bench;

import org.jspecify.annotations.NullMarked;
