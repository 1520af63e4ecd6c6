/**
 * Lower and upper bounds of repair traffic, distance and storage, as functions of a code's {@link
 * org.braid.code.bound.CodeParameters}. The registry lists them beside the codes, so that every
 * comparison shows how far a code is from the best possible.
 */
@NullMarked
package org.braid.code.bound;

import org.jspecify.annotations.NullMarked;
