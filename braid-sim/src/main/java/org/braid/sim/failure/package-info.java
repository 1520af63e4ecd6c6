/** How long things live, and failures as they happened: what all simulations of failures share. */
@NullMarked
package org.braid.sim.failure;

import org.jspecify.annotations.NullMarked;
