/**
 * Hitchhiker-XOR, {@code hitchhiker-xor-K-M}: Reed-Solomon with K data blocks and M parities.
 * Blocks have two halves, and the second halves of parities carry sums of first halves.
 *
 * <p>Source: "A Hitchhiker's Guide to Fast and Efficient Data Reconstruction in Erasure-coded Data
 * Centers" (SIGCOMM 2014). Data block i is (a_i, b_i), f_j is parity j of {@code rs-K-M}; the data
 * blocks are split into m - 1 groups S_1..S_(m-1), group j from floor(k (j-1) / (m-1)) on, so that
 * their sizes differ by at most one. Parity 0 is (f_0(a), f_0(b)); parity j >= 1 is (f_j(a), f_j(b)
 * + sum of a_i over S_j).
 *
 * <p>The code survives any m losses: the first halves decode as Reed-Solomon; then the sums are
 * known, and the second halves decode as well. Repair of data block i in S_j: all other b and
 * f_0(b) give b_i; then parity j's second half gives the sum over S_j, and with the other a of S_j,
 * a_i. That is k + |S_j| half-blocks instead of 2 k. Repair of a parity reads k blocks.
 *
 * <p>The paper has two other variants. This one depends neither on a property of the Reed-Solomon
 * code (as Hitchhiker-XOR+) nor on multiplications (as Hitchhiker-nonXOR), so the first halves of
 * its parities stay byte-identical with HDFS's parity.
 */
@NullMarked
package org.braid.code.hitchhiker;

import org.jspecify.annotations.NullMarked;
