@NullMarked
package org.braid.sim.durability;

import org.jspecify.annotations.NullMarked;
