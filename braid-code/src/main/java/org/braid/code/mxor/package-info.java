/**
 * Multi-XOR, {@code mxor-K-P}: K = 2c data blocks in an array of 2 rows and c columns, P = c + 2
 * parities, all of them XORs (Geo-MXOR §V-A, figures 1 and 12; {@code mxor-10-7} there).
 *
 * <p>Definition: data block i is in row i / c and column i mod c. Block 2c + j is the vertical
 * parity of column j, the XOR of its two data blocks; block 3c + r is the horizontal parity of row
 * r, the XOR of its c data blocks. The vertical parities have no horizontal parity: the sum of the
 * two horizontal parities equals the sum of the c vertical ones. All parities are a local group.
 *
 * <p>Repair of a data block or vertical parity reads 2 blocks, repair of a horizontal parity c. The
 * code is the product of a (3, 2) and a (c + 1, c) single-parity code without its corner. The
 * product's distance is 4, so the distance here is 3: the code survives any 2 losses. It does not
 * survive 3: a data block lost with its vertical and horizontal parity is not recoverable. The
 * paper says "multiple failures" and measures one and two.
 *
 * <p>Parameters: c is 2..84, so that the stripe has at most 255 blocks. With one column the
 * horizontal parities would be copies of the data.
 */
@NullMarked
package org.braid.code.mxor;

import org.jspecify.annotations.NullMarked;
