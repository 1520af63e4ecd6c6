/** Tests of the kernels: each against the field, and against the scalar one. */
@NullMarked
package org.braid.kernel;

import org.jspecify.annotations.NullMarked;
