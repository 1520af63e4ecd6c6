/**
 * Advice on code, placement and shape of repair for a cluster. Candidates of every code family are
 * measured with the product's rules and planners and the durability models, compared with
 * requirements, and ranked.
 */
@NullMarked
package org.braid.sim.advise;

import org.jspecify.annotations.NullMarked;
