/**
 * STAIR, {@code stair-nN-rR-mM-eE0.E1-l0}, and R-STAIR, {@code rstair-nN-rR-mM-eE0.E1-lL} with L at
 * least 1: N racks of R blocks survive M whole racks, together with E0, E1, ... blocks of further
 * racks; with L, every rack rebuilds L of its blocks by itself. Source: "Relieving Both Storage and
 * Recovery Burdens in Big Data Clusters with R-STAIR Codes", section III.
 *
 * <p>Parameters, by the letters of the paper: n racks, r blocks a rack, m whole racks, e the
 * coverage vector, ascending, m' its length, l blocks a rack rebuilds. {@code e0} stands for the
 * empty vector, m' = 0: a plain product of two codes. (An entry 0 would be a rack that loses
 * nothing, so there is no other use for it.) Codes with m' = 0 are two layouts of the comparison in
 * section V-A: with l = 0, Reed-Solomon in each row, which stores 1.40 times the data with n = 14,
 * r = 8, m = 4; with l = 1, the same and a local parity in each rack, 1.60. R-STAIR with m = 1, 12
 * losses in 3 more racks and l = 1 stores 1.37.
 *
 * <p>Definition: a canonical stripe has r + v rows and n + m' columns, v = max(e) - l, or 0 without
 * e. Each row is a codeword of an MDS code with n - m information symbols, each column one of an
 * MDS code with r - l of them, both systematic from their first symbols on. Both are the Cauchy
 * matrix of {@code org.braid.code.rs} with its columns scaled so that the first parity is the XOR
 * of the information. In virtual column j, the lowest e_j - l cells are zero. The n x r cells at
 * the top left are the stripe; a cell is a block, a column a rack; alpha is 1. These conditions
 * determine the generator, n*r rows of k = (r - l)(n - m) - sum of (e_j - l) columns. Upstairs and
 * downstairs encoding compute the same values with fewer multiplications.
 *
 * <p>Blocks in order, each part row by row from the top, and from left to right in a row:
 *
 * <ol>
 *   <li>data: rows 0..r-l-1 of racks 0..n-m-1, except the global parities;
 *   <li>vertical parities: rows r-l..r-1 of racks 0..n-m-1;
 *   <li>global parities: rows r-e_j..r-l-1 of rack n-m-m'+j, for each j;
 *   <li>horizontal parities: all rows of racks n-m..n-1. In the lowest l rows they are also the
 *       vertical parities of their racks, so that these racks rebuild l blocks like all others.
 * </ol>
 *
 * <p>The code survives the loss of any m whole racks, of any e_j blocks in m' further racks and of
 * any l blocks in each remaining rack, in all as many blocks as it has parities.
 */
@NullMarked
package org.braid.code.stair;

import org.jspecify.annotations.NullMarked;
