/** The product's plans on virtual time. */
@NullMarked
package org.braid.sim.run;

import org.jspecify.annotations.NullMarked;
