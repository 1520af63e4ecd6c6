/**
 * Placement of stripes over distant sites (Geo-MXOR sections V-C, V-D and VII-D): the nodes of
 * blocks and of copies of parity, and the reads across sites of a repair.
 */
@NullMarked
package org.braid.placement.site;

import org.jspecify.annotations.NullMarked;
