/**
 * What no code can beat: lower and upper bounds on repair traffic, distance and storage, as
 * functions of a code's {@link org.braid.code.bound.Shape}. They stand beside the codes in the
 * registry so that every comparison shows how far a code is from the best possible.
 */
@NullMarked
package org.braid.code.bound;

import org.jspecify.annotations.NullMarked;
