/** Tests of the memory engine. */
@NullMarked
package org.braid.engine.memory;

import org.jspecify.annotations.NullMarked;
