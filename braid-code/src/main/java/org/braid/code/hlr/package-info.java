/**
 * Hierarchical local recovery, {@code hlr-nN-rR-gG-lL}: an array of N racks with R blocks each, G
 * racks of cross-rack parity and L local parities in every rack (R-STAIR §V-A (iv)). A member to
 * compare with.
 *
 * <p>Definition: the product of two Reed-Solomon codes, an (N, N - G) code along each row and an
 * (R, R - L) code down each rack; the latter's columns are scaled so that its first parity is an
 * XOR. Row i and rack c of the array are in the data for i < R - L and c < N - G. Blocks are listed
 * data first, rack by rack and top to bottom, then parities, rack by rack and top to bottom. As the
 * product is the same either way, the last L blocks of a parity rack are its local parities, too.
 *
 * <p>Tolerance: any (G + 1)(L + 1) - 1 blocks, which is one less than the product of the distances;
 * any G whole racks together with any L blocks of each other rack; any L blocks of a rack from that
 * rack alone; any G blocks of a row from that row.
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
