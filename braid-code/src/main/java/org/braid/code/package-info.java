/** The first noun: a code is a matrix over GF(2^8), and all its properties are derived from it. */
@NullMarked
package org.braid.code;

import org.jspecify.annotations.NullMarked;
