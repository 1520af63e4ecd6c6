/**
 * Local reconstruction codes, {@code lrc-K-L-G}: K data blocks in L local groups of K/L neighbours,
 * then L local parities, then G global parities. Windows Azure Storage's codes, as EAR, section
 * 3.5, describes them; the (14, 10, 2) of that paper is {@code lrc-10-2-2}.
 *
 * <p>Definition: one sub-block a block. Local parity a is the XOR of the data of group a; global
 * parity i is the sum of c(i, j) times data block j over GF(2^8). One lost block of a group (its
 * parity counts) is rebuilt from the K/L others.
 *
 * <p><b>What can be recovered.</b> Of the blocks that a group loses, its local parity can restore
 * one; the rest, and each lost global parity, cost a global parity each. So with losses e(a) >= 1
 * in the groups that lost any and x lost global parities, no code of this shape recovers a pattern
 * with sum(e(a) - 1) + x > G. A code that recovers all others is <i>maximally recoverable</i>. For
 * L = 2 this is the pair of conditions of the paper: at most G + L losses in all, and at most G + 1
 * in a group, its parity and the global parities together. From L = 3 on that pair promises too
 * much: with G = 1 two losses in each of two groups pass it (4 in all, 2 for either group), but the
 * two local parities restore one each and one global parity is left for two.
 *
 * <p><b>Coefficients.</b> Write c(j) for the column of data block j, and give each local parity the
 * column zero. A pattern is recovered exactly when the differences of lost columns to one lost
 * column of their group, and the unit vectors of lost global parities, are independent. Hence:
 *
 * <ul>
 *   <li>L = 1, K = L or G = 1: a Cauchy matrix of G + 1 rows, columns scaled so that its first row
 *       is all ones. That row is the sum of the local parities, the others are the global ones.
 *       Differences within a group are then columns of invertible parts of that matrix.
 *   <li>G = 2, at most 17 groups of at most 15: c = (t, t^2), where t runs in group a over 2^a
 *       times the elements of GF(16) but zero. (d, d^2) and (e, e^2) are dependent only for d = e,
 *       and differences of different groups are in subspaces over GF(2) that share zero alone.
 *   <li>G = 3 with at most 10 blocks in each of two groups, 8 of three or 5 of four, and G = 4 with
 *       at most 5 in each of two: found by search and frozen in {@code FoundCoefficients}.
 *   <li>Any other: the Cauchy matrix again, a pyramid code. It recovers any G + 1 losses, which is
 *       all it promises: with a lost local parity at most G others are lost, for which the
 *       remaining global parities suffice; without one, the sum of the local parities stands in for
 *       the row of ones. {@link org.braid.code.lrc.LocalReconstruction#maximallyRecoverable} tells
 *       the two apart.
 * </ul>
 *
 * <p>K + L + G is at most 255. Local parities make no global one cheaper: within a group its
 * coefficients differ, so that one of them times the local parity spares one term and costs one.
 */
@NullMarked
package org.braid.code.lrc;

import org.jspecify.annotations.NullMarked;
