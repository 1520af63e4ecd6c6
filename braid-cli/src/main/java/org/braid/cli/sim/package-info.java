/** The simulator's commands. */
@NullMarked
package org.braid.cli.sim;

import org.jspecify.annotations.NullMarked;
