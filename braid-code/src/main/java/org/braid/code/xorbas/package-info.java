/**
 * Xorbas, {@code xorbas-K-P-R}: Reed-Solomon with an XOR parity for each group of R data blocks and
 * one more that is not stored (Geo-MXOR §II and table I; "XORing Elephants: Novel Erasure Codes for
 * Big Data", PVLDB 2013, §2; {@code xorbas-10-6-5} there).
 *
 * <p>Definition: K data blocks in L = K / R contiguous groups, m = P - L Reed-Solomon parities,
 * then L local parities, the XORs of the groups. The Reed-Solomon code is the one of HDFS-RAID: the
 * polynomial of the stripe, parity j at x^j and data block i at x^(m+i), is a multiple of (x - 1)(x
 * - 2)(x - 4)...(x - 2^(m-1)). As 1 is a root, all K + m blocks sum up to zero. Hence the sum of
 * the parities equals the sum of the local parities: the local parity of the parities is
 * <em>implied</em>. So the m parities and the L stored local ones are a local group as well.
 *
 * <p>Tolerance: the K + m blocks are MDS, so the code survives any m losses. It does not survive m
 * + 1 losses of one data group, which leave m equations: the group's local parity is the sum of the
 * other local ones and the Reed-Solomon parities. The distance is m + 1; for {@code xorbas-10-6-5}
 * it is 5, and repair of any block reads 5 others.
 *
 * <p>Parameters: R divides K; L is at least 2, because the local parity of a single group would be
 * the implied one; m is at least 1; P - 1 is at most R, so that repair of a parity reads at most R
 * blocks (and a group is large enough for the m + 1 losses above); K + P is at most 255.
 */
@NullMarked
package org.braid.code.xorbas;

import org.jspecify.annotations.NullMarked;
