/**
 * Hierarchical local recovery, {@code hlr-nN-rR-gG-lL}: an array of N racks with R blocks each, G
 * racks of cross-rack parity and L local parities in every rack (R-STAIR §V-A (iv)). It serves
 * comparisons.
 *
 * <p>Definition: the product of two Reed-Solomon codes, an (N, N - G) code along each row and an
 * (R, R - L) code down each rack, whose columns are scaled so that its first parity is an XOR. Row
 * i of rack c is a data block if i < R - L and c < N - G. Data blocks come first, rack by rack and
 * top to bottom, then parities in the same order. The product does not depend on the order of the
 * two codes, so the last L blocks of a parity rack are its local parities as well.
 *
 * <p>Tolerance: any (G + 1)(L + 1) - 1 blocks, one less than the product of the distances; any G
 * whole racks together with any L blocks of each other rack. A rack rebuilds any L of its blocks, a
 * row any G of its blocks.
 *
 * <p>For the paper's goal of m = 1 full-rack and m' partial-rack failures, G = m + m' and L = 1:
 * {@code hlr-n14-r8-g4-l1} has 8*4 + 10 parities and stores 112/70 = 1.60 times the data (figure
 * 6).
 *
 * <p>Parameters: 1 <= G < N, 1 <= L < R, and N*R is at most 255.
 */
@NullMarked
package org.braid.code.hlr;

import org.jspecify.annotations.NullMarked;
