/**
 * Which code, which placement, which repair for a cluster: candidates of every family, measured by
 * the product's rules, planners and durability models, kept within limits, and ranked.
 */
@NullMarked
package org.braid.sim.advise;

import org.jspecify.annotations.NullMarked;
