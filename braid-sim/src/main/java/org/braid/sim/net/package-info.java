/** Networks of links with rates: two ways to share them, and a checker that knows neither. */
@NullMarked
package org.braid.sim.net;

import org.jspecify.annotations.NullMarked;
