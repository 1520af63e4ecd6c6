/** Networks of links with rates: ways to share them, and a checker that knows none of these. */
@NullMarked
package org.braid.sim.net;

import org.jspecify.annotations.NullMarked;
