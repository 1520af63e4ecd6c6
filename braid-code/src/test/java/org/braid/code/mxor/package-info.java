/** Tests of Multi-XOR. */
@NullMarked
package org.braid.code.mxor;

import org.jspecify.annotations.NullMarked;
