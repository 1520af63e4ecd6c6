/** Runs plans on coefficient rows and proves that they compute what the code defines. */
@NullMarked
package org.braid.engine.symbolic;

import org.jspecify.annotations.NullMarked;
