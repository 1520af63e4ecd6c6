@NullMarked
package org.braid.sim.failure;

import org.jspecify.annotations.NullMarked;
