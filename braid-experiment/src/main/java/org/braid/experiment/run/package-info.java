/** Runs experiments and stores their results with the conditions. */
@NullMarked
package org.braid.experiment.run;

import org.jspecify.annotations.NullMarked;
