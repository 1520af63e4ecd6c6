/**
 * Erasure codes: a code is a matrix over GF(2^8), and all its properties follow from the matrix.
 */
@NullMarked
package org.braid.code;

import org.jspecify.annotations.NullMarked;
