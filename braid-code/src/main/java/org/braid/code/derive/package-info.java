/**
 * What follows from a code's matrix: how many losses it survives, what it stores, what repairs and
 * updates cost, and whether it keeps its promises. Nothing here knows a family of codes, and
 * nothing is kept by hand.
 */
@NullMarked
package org.braid.code.derive;

import org.jspecify.annotations.NullMarked;
