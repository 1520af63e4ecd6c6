/** What a simulated cluster does: it writes, encodes, reads, computes, fails and repairs. */
@NullMarked
package org.braid.sim.load;

import org.jspecify.annotations.NullMarked;
