/**
 * Multi-XOR, {@code mxor-K-P}: K = 2c data blocks in an array of 2 rows and c columns, P = c + 2
 * parities, all of them XORs (Geo-MXOR §V-A, figures 1 and 12; {@code mxor-10-7} there).
 *
 * <p>Definition: data block i is in row i / c and column i mod c. Block 2c + j is the vertical
 * parity of column j, the XOR of its two data blocks; block 3c + r is the horizontal parity of row
 * r, the XOR of its c data blocks. There is no horizontal parity of the vertical ones: the two
 * horizontal parities sum up to the c vertical ones anyway, which is a local group of its own.
 *
 * <p>A data or vertical parity block is repaired from 2 others, a horizontal parity from c. The
 * code is the product of a (3, 2) and a (c + 1, c) single-parity code without its corner. The
 * product's distance is 4, so the distance here is 3: any 2 blocks may be lost, but no more, as a
 * data block and the vertical and horizontal parity over it cannot be told any more when all three
 * are gone. The paper says "multiple failures" and measures one and two.
 *
 * <p>Parameters: c is 2..84, so that the stripe has at most 255 blocks. With one column the
 * horizontal parities would be copies.
 */
@NullMarked
package org.braid.code.mxor;

import org.jspecify.annotations.NullMarked;
