/**
 * Rotated Reed-Solomon, {@code rotated-rs-K-M-R}: K data blocks, M parities, R sub-blocks each.
 *
 * <p>Source: "Rethinking Erasure Codes for Cloud File Systems" (FAST 2012), the code of PPR,
 * section 7.7. There d(i, b) is sub-block b of data block i, and parity j stores
 *
 * <pre>
 *   c(j, b) = sum over i &lt; floor(k j / m) of g(j, i) d(i, (b + 1) mod r)
 *           + sum over the other i        of g(j, i) d(i, b)
 * </pre>
 *
 * <p>Repair: the data blocks fall into m groups, group j from floor(k j / m) on. A block i of group
 * j is rotated in parity j + 1 but not in parity j. So c(j, b) gives d(i, b), and c(j + 1, b) gives
 * d(i, b + 1) from nearly the same reads: only group j must be read in both rows. (The last group
 * uses c(0, b + 1) instead of c(m, b).) A pair of rows reads k + |group| sub-blocks, an unpaired
 * row k. Hence repair of a block of group j reads
 *
 * <pre>
 *   r/2 (k + |group j|)            sub-blocks for even r, at most the published r/2 (k + ceil(k/m)),
 *   (r-1)/2 (k + |group j|) + k    for odd r.
 * </pre>
 *
 * <p>That is less than the r k of Reed-Solomon if m >= 2 and r >= 2. In small codes no smaller set
 * of sub-blocks suffices. A lost parity is encoded again from all r k data sub-blocks. In some
 * codes the coefficients allow one less, which is not used.
 *
 * <p>Coefficients: the published ones are powers of two for narrow fields. Here row b of the
 * rotation is the power x^b in GF(2^8)[x]/(x^r - 1), so that all patterns of m losses can be
 * repaired exactly when no minor of the m x k matrix with entries g(j, i) or g(j, i) x shares a
 * factor with x^r - 1. For r a power of two, x^r - 1 = (x - 1)^r, and it is enough that no minor of
 * g itself is zero: g is a Cauchy matrix, its columns scaled so that parity 0 is the XOR. For any
 * other r all minors are tried, and columns that fail are left out. Parameters for which too few
 * columns remain are refused: among m <= 4, k <= 12 and r <= 16 these are m = 4 with r = 5 or 10
 * and k = 12, and m = 4 with r = 15 and k >= 7. So all codes of this family survive any m losses.
 */
@NullMarked
package org.braid.code.rotated;

import org.jspecify.annotations.NullMarked;
