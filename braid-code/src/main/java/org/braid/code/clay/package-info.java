/**
 * Clay codes, {@code clay-K-M-D}: K data blocks, M parities, a minimum-storage regenerating code. D
 * helpers repair a lost block with the least traffic possible at this storage overhead (the cut-set
 * bound).
 *
 * <p>Source: "Clay Codes: Moulding MDS Codes to Yield an MSR Code" (FAST 2018).
 *
 * <p>Definition: q = d - k + 1, t = ceil((k + m) / q), alpha = q^t. Virtual blocks of zeros between
 * data and parities fill the stripe up to q t nodes; node i is at x = i mod q, y = i div q of a
 * grid. A sub-block index z is a plane; its base-q digits z_0..z_(t-1), z_0 first, give one x for
 * each y. The stored values C and the coded values U differ by a coupling of pairs: node (x, y) in
 * plane z with z_y != x has as partner node (z_y, y) in plane z', which is z with digit y changed
 * to x, and
 *
 * <pre>
 *   C(x, y; z) = U(x, y; z) + g U(z_y, y; z'),    g = 2,
 * </pre>
 *
 * while C = U where z_y = x. In every plane the U of all nodes are a codeword of Reed-Solomon with
 * the Cauchy matrix of {@code rs-K'-M}, K' = K + virtual blocks. Since g is neither 0 nor 1, any
 * two of a pair's four values determine the other two; hence the code survives any m losses.
 *
 * <p>Repair of node (x0, y0) reads, from each of d helpers, the alpha / q planes with z_(y0) = x0:
 * d / (d - k + 1) blocks in all. The helpers must include the other nodes of its column y0; for d =
 * k + m - 1 all nodes are helpers. Lost blocks of different columns can each be repaired in this
 * way while d helpers are left; they share planes, so that fewer than k blocks are read. All other
 * losses are decoded from k whole blocks.
 */
@NullMarked
package org.braid.code.clay;

import org.jspecify.annotations.NullMarked;
