/** Tests. */
@NullMarked
package org.braid.sim.time;

import org.jspecify.annotations.NullMarked;
