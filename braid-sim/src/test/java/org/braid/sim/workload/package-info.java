/** Tests. */
@NullMarked
package org.braid.sim.workload;

import org.jspecify.annotations.NullMarked;
