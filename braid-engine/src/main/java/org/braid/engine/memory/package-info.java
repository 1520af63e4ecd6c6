/** Runs plans in this process, on blocks in memory. */
@NullMarked
package org.braid.engine.memory;

import org.jspecify.annotations.NullMarked;
