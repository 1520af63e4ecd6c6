/** Encoding, decoding and repair of stripes in memory: the schedules of codes run on kernels. */
@NullMarked
package org.braid.codec;

import org.jspecify.annotations.NullMarked;
