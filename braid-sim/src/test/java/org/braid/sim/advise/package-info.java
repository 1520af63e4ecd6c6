@NullMarked
package org.braid.sim.advise;

import org.jspecify.annotations.NullMarked;
