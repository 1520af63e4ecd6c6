/** Tests of single parity. */
@NullMarked
package org.braid.code.xor;

import org.jspecify.annotations.NullMarked;
