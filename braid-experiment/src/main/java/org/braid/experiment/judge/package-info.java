/** Evaluates results: medians, comparisons and verdicts on claims. */
@NullMarked
package org.braid.experiment.judge;

import org.jspecify.annotations.NullMarked;
