/** Tests. */
@NullMarked
package org.braid.sim.run;

import org.jspecify.annotations.NullMarked;
