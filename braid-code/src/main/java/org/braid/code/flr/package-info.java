/**
 * Flat local recovery, {@code flr-nN-gG-lL}: N blocks, each in a rack of its own, G global parities
 * over all data and L local parities, one for each local-recovery group of data blocks (R-STAIR
 * §V-A (iii)). A member to compare with: Azure's code has the same shape.
 *
 * <p>Definition: K = N - G - L data blocks in L contiguous groups whose sizes differ by at most
 * one, the larger first; then L local parities, the XORs of the groups; then G global parities. The
 * paper fixes the counts, not the coefficients. The global parities here are those of {@code
 * rs-K-G}, which makes a pyramid code: the rows of a Cauchy matrix and one of ones have only
 * invertible square parts, so that the XOR of all data would be one more parity of an MDS code, and
 * the local parities are that XOR, split.
 *
 * <p>Tolerance: any G + 1 blocks. Without a lost local parity, their sum is the parity that was
 * split, and G + 1 losses are what the Reed-Solomon code survives; with some, that parity counts as
 * one loss and the others are G at most. G + 2 losses among one group and the global parities leave
 * G + 1 equations, so it is no more, and it is the most that the locality bound allows for groups
 * of equal size. Any block of a group is repaired from the rest of the group.
 *
 * <p>For the paper's goal of m = 1 full-rack and m' partial-rack failures, G = m + m' and L = 2:
 * {@code flr-n14-g4-l2} stores 14/8 = 1.75 times the data (figure 6).
 *
 * <p>Parameters: G and L are at least 1, K at least L, N at most 255.
 */
@NullMarked
package org.braid.code.flr;

import org.jspecify.annotations.NullMarked;
