/** Tests of local reconstruction codes, and the search that found their coefficients. */
@NullMarked
package org.braid.code.lrc;

import org.jspecify.annotations.NullMarked;
