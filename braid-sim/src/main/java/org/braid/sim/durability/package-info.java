/**
 * Durability of stripes: failures of nodes, racks, sites and sectors, repair times from the
 * product's planners and network model, Monte-Carlo simulation with importance sampling, and a
 * Markov chain to compare with. Nothing here has a clock, a thread or a seed of its own.
 */
@NullMarked
package org.braid.sim.durability;

import org.jspecify.annotations.NullMarked;
