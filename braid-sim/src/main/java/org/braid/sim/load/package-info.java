/** Activities of a simulated cluster: writes, encoding, reads, jobs, failures and repairs. */
@NullMarked
package org.braid.sim.load;

import org.jspecify.annotations.NullMarked;
