/**
 * Kernels that apply a GF(2^8) matrix to bytes: ISA-L where it is installed, scalar Java always.
 */
@NullMarked
package org.braid.kernel;

import org.jspecify.annotations.NullMarked;
