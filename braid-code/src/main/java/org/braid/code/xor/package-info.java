/**
 * Single parity, {@code xor-K-1}: K data blocks and their XOR, as HDFS's XOR policy and the XOR
 * codes of Geo-MXOR §III have it.
 *
 * <p>Definition: n = K + 1, the one parity row is all ones. The code survives any one loss. K is
 * 1..254. The last number of the name is the number of parities, always 1.
 */
@NullMarked
package org.braid.code.xor;

import org.jspecify.annotations.NullMarked;
