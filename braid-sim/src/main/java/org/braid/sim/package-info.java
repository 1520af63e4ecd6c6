/** The product's planners and placements on virtual time. */
@NullMarked
package org.braid.sim;

import org.jspecify.annotations.NullMarked;
