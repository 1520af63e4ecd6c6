/** The commands on the throttle of work in the background. */
@NullMarked
package org.braid.cli.cluster.throttle;

import org.jspecify.annotations.NullMarked;
