/**
 * Reed-Solomon, {@code rs-K-M}: K data blocks and M parities; any K of the K+M blocks determine the
 * rest.
 *
 * <p>Definition: one sub-block a block; the generator is the identity over the Cauchy matrix whose
 * row i (k <= i < k+m) and column j hold the inverse of i XOR j in GF(2^8). It is ISA-L's {@code
 * gf_gen_cauchy1_matrix} and the matrix of HDFS's {@code RSRawEncoder}, so that parity is
 * byte-identical with HDFS's own. Every square part of a Cauchy matrix is invertible, hence the
 * code is MDS for all k+m.
 */
@NullMarked
package org.braid.code.rs;

import org.jspecify.annotations.NullMarked;
