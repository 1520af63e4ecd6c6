/**
 * How rarely stripes lose data: failure processes of nodes, racks, sites and sectors, repair times
 * from the product's planners and network model, a Monte-Carlo with importance sampling, and a
 * Markov chain beside it. Nothing here has a clock, a thread or a seed of its own.
 */
@NullMarked
package org.braid.sim.durability;

import org.jspecify.annotations.NullMarked;
