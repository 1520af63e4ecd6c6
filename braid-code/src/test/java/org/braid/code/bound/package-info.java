/** Tests of bounds. */
@NullMarked
package org.braid.code.bound;

import org.jspecify.annotations.NullMarked;
