/** What experiment files can ask of the simulator. */
@NullMarked
package org.braid.sim.workload;

import org.jspecify.annotations.NullMarked;
