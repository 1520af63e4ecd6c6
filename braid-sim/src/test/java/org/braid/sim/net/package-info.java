/** Tests. */
@NullMarked
package org.braid.sim.net;

import org.jspecify.annotations.NullMarked;
