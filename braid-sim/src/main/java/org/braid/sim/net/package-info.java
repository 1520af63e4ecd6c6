/** Simulated networks: links with rates, rules by which transfers share them, and a checker. */
@NullMarked
package org.braid.sim.net;

import org.jspecify.annotations.NullMarked;
