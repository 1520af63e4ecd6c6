/**
 * Replication, {@code rep-R}: R copies of one block, the baseline that Geo-MXOR §I, EAR §2.1 and
 * R-STAIR §I measure erasure codes against.
 *
 * <p>Definition: k = 1, n = R, every row of the generator is (1). The code survives the loss of any
 * R - 1 copies; one copy repairs another. R is 2..255.
 */
@NullMarked
package org.braid.code.rep;

import org.jspecify.annotations.NullMarked;
