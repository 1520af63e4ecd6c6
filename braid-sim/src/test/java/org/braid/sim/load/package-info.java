/** Tests. */
@NullMarked
package org.braid.sim.load;

import org.jspecify.annotations.NullMarked;
