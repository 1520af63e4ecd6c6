/** Tests of the symbolic engine. */
@NullMarked
package org.braid.engine.symbolic;

import org.jspecify.annotations.NullMarked;
