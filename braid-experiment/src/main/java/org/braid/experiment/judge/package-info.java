/** What results say: medians, comparisons, and whether claims hold. */
@NullMarked
package org.braid.experiment.judge;

import org.jspecify.annotations.NullMarked;
