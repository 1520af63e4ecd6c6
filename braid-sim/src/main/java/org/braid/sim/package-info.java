/** The product's placements, planners and repair manager on virtual time. */
@NullMarked
package org.braid.sim;

import org.jspecify.annotations.NullMarked;
