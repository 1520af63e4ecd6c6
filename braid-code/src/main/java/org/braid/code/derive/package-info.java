/**
 * Properties derived from a code's matrix: tolerance, cost of repairs and updates, and the
 * verification of its promises. Nothing here depends on a family of codes.
 */
@NullMarked
package org.braid.code.derive;

import org.jspecify.annotations.NullMarked;
