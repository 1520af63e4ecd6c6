/**
 * Stripes of stored blocks: which blocks to encode together so that conversion downloads and
 * relocates as few as possible.
 *
 * <p>A stripe is free of cross-rack downloads when one rack, its core rack, holds a replica of each
 * block (EAR section 3.1), and free of relocations when the maximum flow of its flow graph is k
 * (section 3.2). Encoding-aware replication arranges both when blocks are written. Of blocks that
 * random replication placed, many choices of k blocks have both properties, and this package finds
 * them.
 */
@NullMarked
package org.braid.placement.grouping;

import org.jspecify.annotations.NullMarked;
