/**
 * Single parity, {@code xor-K-1}: K data blocks and their XOR, as HDFS's XOR policy and the XOR
 * codes of Geo-MXOR §III have it.
 *
 * <p>Definition: n = K + 1, the one parity row is all ones. Any one block may be lost. K is 1..254;
 * the last number of the name is the count of parities and always 1, as more than one parity of
 * nothing but XOR is another code.
 */
@NullMarked
package org.braid.code.xor;

import org.jspecify.annotations.NullMarked;
