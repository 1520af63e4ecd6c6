/** Workloads of the simulator, which experiment files name. */
@NullMarked
package org.braid.sim.workload;

import org.jspecify.annotations.NullMarked;
