/**
 * Local reconstruction codes, {@code lrc-K-L-G}: K data blocks in L local groups of K/L neighbours,
 * then L local parities, then G global parities. Windows Azure Storage's codes, as EAR, section
 * 3.5, describes them; the (14, 10, 2) of that paper is {@code lrc-10-2-2}.
 *
 * <p>Definition: alpha is 1. Local parity a is the XOR of the data of group a; global parity i is
 * the sum of c(i, j) times data block j over GF(2^8). The K/L other blocks of a group, including
 * its parity, rebuild one lost block.
 *
 * <p><b>What can be recovered.</b> A local parity can repair one lost block of its group. Each
 * further lost block, and each lost global parity, needs a global parity. So with e(a) >= 1 losses
 * in each damaged group a and x lost global parities, no LRC recovers a pattern with sum(e(a) - 1)
 * + x > G. A code that recovers all others is <i>maximally recoverable</i>. For L = 2 this is the
 * pair of conditions of the paper: at most G + L losses in all, and at most G + 1 in a group, its
 * parity and the global parities together. From L = 3 on that pair promises too much: for G = 1,
 * two losses in each of two groups satisfy it (4 in all, 2 in either group), but the local parities
 * repair one each, and one global parity is left for the other two.
 *
 * <p><b>Coefficients.</b> Let c(j) be the column of data block j, and zero the column of each local
 * parity. A pattern is recovered exactly when the following vectors are independent: the
 * differences of lost columns to one lost column of their group, and the unit vectors of lost
 * global parities. Hence:
 *
 * <ul>
 *   <li>L = 1, K = L or G = 1: a Cauchy matrix of G + 1 rows, columns scaled so that its first row
 *       is all ones. That row is the sum of the local parities, the others are the global ones.
 *       Differences within a group are then columns of invertible parts of that matrix.
 *   <li>G = 2, at most 17 groups of at most 15: c = (t, t^2), where t runs in group a over 2^a
 *       times the non-zero elements of GF(16). (d, d^2) and (e, e^2) are dependent only for d = e,
 *       and differences of different groups are in subspaces over GF(2) that share only zero.
 *   <li>G = 3 with at most 10 blocks in each of two groups, 8 of three or 5 of four, and G = 4 with
 *       at most 5 in each of two: found by a search and frozen in {@code FoundCoefficients}.
 *   <li>Any other: the Cauchy matrix again, a pyramid code. It promises any G + 1 losses. If a
 *       local parity is lost, at most G other blocks are lost, and the remaining global parities
 *       suffice. If none is lost, the sum of the local parities is the row of ones. {@link
 *       org.braid.code.lrc.LocalReconstruction#maximallyRecoverable} tells the two apart.
 * </ul>
 *
 * <p>K + L + G is at most 255. Local parities do not make the encoding of global parities cheaper:
 * coefficients differ within a group, so that using a local parity saves one term and adds one.
 */
@NullMarked
package org.braid.code.lrc;

import org.jspecify.annotations.NullMarked;
