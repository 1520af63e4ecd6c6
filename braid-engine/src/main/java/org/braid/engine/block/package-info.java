/** The layout of sub-blocks in a block, and the CRC-32C of blocks from that of their parts. */
@NullMarked
package org.braid.engine.block;

import org.jspecify.annotations.NullMarked;
