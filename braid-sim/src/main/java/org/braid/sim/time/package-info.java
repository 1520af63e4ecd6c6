/** Virtual time and random numbers: the same inputs give the same events in the same order. */
@NullMarked
package org.braid.sim.time;

import org.jspecify.annotations.NullMarked;
