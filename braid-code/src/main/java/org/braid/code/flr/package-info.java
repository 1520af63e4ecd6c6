/**
 * Flat local recovery, {@code flr-nN-gG-lL}: N blocks, each in a rack of its own, G global parities
 * over all data and L local parities, one for each local-recovery group of data blocks (R-STAIR
 * §V-A (iii)). It serves comparisons; Azure's code has the same structure.
 *
 * <p>Definition: K = N - G - L data blocks in L contiguous groups whose sizes differ by at most
 * one, the larger first; then L local parities, the XORs of the groups; then G global parities. The
 * paper gives the counts, not the coefficients. The global parities here are those of {@code
 * rs-K-G}, which makes a pyramid code: a Cauchy matrix with a further row of ones has only
 * invertible square parts. So the XOR of all data would be one more parity of an MDS code, and the
 * local parities are that XOR, split by groups.
 *
 * <p>Tolerance: any G + 1 blocks. If no local parity is lost, their sum is the split parity, and
 * the MDS code survives G + 1 losses. If some are lost, the split parity counts as one loss, and at
 * most G other blocks are lost. G + 2 losses among one group and the global parities leave only G +
 * 1 equations, so the tolerance is exactly G + 1; the locality bound allows no more for groups of
 * equal size. The rest of a group repairs any one of its blocks.
 *
 * <p>For the paper's goal of m = 1 full-rack and m' partial-rack failures, G = m + m' and L = 2:
 * {@code flr-n14-g4-l2} stores 14/8 = 1.75 times the data (figure 6).
 *
 * <p>Parameters: G and L are at least 1, K at least L, N at most 255.
 */
@NullMarked
package org.braid.code.flr;

import org.jspecify.annotations.NullMarked;
