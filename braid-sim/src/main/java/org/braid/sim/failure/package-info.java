/** Lifetimes, failure processes and failure traces, shared by all simulations of failures. */
@NullMarked
package org.braid.sim.failure;

import org.jspecify.annotations.NullMarked;
