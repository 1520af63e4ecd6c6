/** Tests of STAIR and R-STAIR. */
@NullMarked
package org.braid.code.stair;

import org.jspecify.annotations.NullMarked;
