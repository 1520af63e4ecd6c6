/** Runs experiments and keeps what was measured, with its conditions. */
@NullMarked
package org.braid.experiment.run;

import org.jspecify.annotations.NullMarked;
